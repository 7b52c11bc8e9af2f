---@meta ble

--- Bluetooth LE as a central: `local ble = require "ble"`. Calls that wait suspend only their own task. Each call ends:
--- with its result, or by raising a `ble.error`. Times are seconds, bytes are strings, UUIDs are returned in lower case
--- and in their shortest form.
---@class ble
---@field keys ble.keys
local ble = {}

--- Keys of devices that encrypt what they advertise, in hexadecimal digits, by address in either case. At first use it
--- has what `keys.lua` in the user's folder (`~/.config/blescript`) returns:
--- `return { ["A4:C1:38:00:00:01"] = "231d39c1d7cc1ab1aee224cd096db932" }`
---@alias ble.keys table<ble.address, string>

--- `"C8:3F:26:00:00:01"`, in either case.
---@alias ble.address string

--- Accepted: `"180f"`, `"0x180F"`, `0x180f`, the 36 characters, or a name of the Bluetooth SIG such as `"heart_rate"`.
---@alias ble.uuid string|integer

--- Which characteristic: a UUID, `"service/characteristic"`, a handle (an integer), or a characteristic.
---@alias ble.ref string|integer|ble.characteristic

--- What can be connected: an address, an advertisement, a device, or a filter for a scan.
---@alias ble.target ble.address|ble.advertisement|ble.device|ble.filter

-- Errors

--- What happened; docs/errors.md says what to try. New ones may come: treat a code that you don't know as a failure.
---@alias ble.code
---| "timeout"        # It took longer than it may.
---| "disconnected"   # There is no link, or it was lost.
---| "connect_failed" # No link came about.
---| "adapter_off"    # The adapter is off, blocked, or was pulled out.
---| "no_adapter"     # There is no adapter, or none of this name.
---| "unavailable"    # No bluetoothd, or no system bus.
---| "access_denied"  # The system bus does not let us talk to bluetoothd.
---| "not_found"      # No such device, service, characteristic or descriptor.
---| "ambiguous"      # Several answer to that name.
---| "unsupported"    # The characteristic, or BlueZ, does not offer it.
---| "att"            # The device refused; the field `att` says why.
---| "pairing_failed" # Pairing failed.
---| "not_authorized" # The device, or BlueZ, wants pairing or permission first.
---| "busy"           # Somebody else's operation is in the way.
---| "cancelled"      # This script ended it.
---| "invalid"        # What was given can't be right.
---| "limit"          # There is no more room.
---| "decode"         # Bytes that are no such value.
---| "encode"         # A value that does not fit.

--- What calls raise. It prints as its message; look at `code`, not at the text.
---@class ble.error
---@field code ble.code
---@field message string     One line for people: what happened, to which device, at which step.
---@field where? string      The line of the script, as `file:line`.
---@field op? string         `"connect"`, `"read"`, `"write"` …
---@field device? string     The device's address.
---@field ref? string        The attribute, as the script named it.
---@field stage? "queue"|"adapter"|"scan"|"connect"|"services"|"attribute"|"exchange"|"disconnect"
---@field att? integer       The ATT error, where the device gave one.
---@field dbus? string       The D-Bus error's name, verbatim.
---@field reason? string     The text that lay under it, verbatim.
---@field retryable? boolean Whether the same call may work when tried again.
---@field advice? string     What a person may try.

-- Adapters and state

---@class ble.adapter
---@field name string         `"hci0"`
---@field address ble.address
---@field alias string        What other devices see.
---@field powered boolean
---@field discovering boolean Somebody scans: this script or another program.
local adapter = {}

--- Switches it on or off, for every program. Returns when it is.
---@param on boolean
function adapter:power(on) end

---@return ble.adapter[]
function ble.adapters() end

--- The adapter of this name or address; else the one that `--adapter` or `BLESCRIPT_ADAPTER` names, else the first that
--- is powered, else the first.
---@param name? string
---@return ble.adapter
function ble.adapter(name) end

--- `unsupported`: no adapter; `unauthorized`: the system bus denies; `unavailable`: no bluetoothd; `resetting`: on its
--- way on or off.
---@alias ble.state "on"|"off"|"resetting"|"unsupported"|"unauthorized"|"unavailable"

--- Of the adapter of this name or address; else of the one in use. `unsupported` where it is not there.
---@param name? string
---@return ble.state
function ble.state(name) end

---@class ble.timeout
---@field timeout? number Seconds.

---@class ble.ready.options: ble.timeout
---@field adapter? string Name or address.

--- Waits until the state is `on`; raises `timeout` after 20 s, if no other is given.
---@param options? ble.ready.options
function ble.ready(options) end

--- Calls `fn(state)` at each change of the adapter in use, in a task of its own that does not keep the script alive.
---@param event "state"
---@param fn fun(state: ble.state)
---@return ble.events
function ble.on(event, fn) end

--- What `on` returns: `:cancel()` ends it, as does a `<close>` variable.
---@class ble.events
local events = {}

--- No more calls.
function events:cancel() end

--- The next event; nil after a cancel. The handler of `on` reads them with it, so a script seldom does.
---@return any
function events:next() end

--- A UUID in the form that this library returns, and the SIG's name for it or nil.
---@param uuid ble.uuid
---@param kind "service"|"characteristic"|"descriptor"
---@return string uuid, string? name
function ble.uuid(uuid, kind) end

-- Scanning

--- `true`: any data. Else the data begins with `prefix`; where `mask` has a 0 bit, any bit will do.
---@alias ble.data true|{ prefix: string, mask?: string }

--- Which advertisements are wanted: each field given must match. BlueZ merges the filters of all its clients, so each
--- advertisement is matched again here.
---@class ble.filter
---@field name? string
---@field name_prefix? string
---@field pattern? string                        A Lua pattern for the name.
---@field address? ble.address
---@field services? ble.uuid[]                   At least one of these.
---@field manufacturer? table<integer, ble.data> At least one of these companies: `{ [0x004c] = true }`
---@field service_data? table<ble.uuid, ble.data> Data for at least one of these services.
---@field rssi? integer                          The least, in dBm. An unknown one does not pass.
---@field any? ble.filter[]                      At least one of these.
---@field except? ble.filter[]                   None of these.
---@field where? fun(adv: ble.advertisement): any Asked when all else matches. It can't wait.
---@field duplicates? boolean                    Every advertisement; else a device's first, and those that bring news.
---@field timeout? number                        Seconds after which the scan ends.
---@field count? integer                         Reports after which the scan ends.
---@field adapter? string                        Name or address.

--- What one advertisement carried; not what BlueZ has gathered since it started. What is not known is nil.
---@class ble.advertisement
---@field address ble.address
---@field address_type "public"|"random"
---@field name? string
---@field rssi? integer                        dBm
---@field tx_power? integer                    dBm
---@field services string[]                    UUIDs
---@field manufacturer_data table<integer, string> Bytes by company.
---@field service_data table<string, string>   Bytes by UUID.
---@field flags? integer
---@field appearance? integer
---@field time number                          When it was heard, on the clock of `task.now()`.
---@field adapter string                       The adapter that heard it.
---@field device ble.device                    The device that sent it.
local advertisement = {}

--- What it says, by the first of the decoders that takes it (docs/writing-decoders.md); nil where none does. Nil and a
--- reason where one would, but the key in `ble.keys` is missing or wrong.
---@return ble.reading? reading
---@return ("key_required"|"decrypt_failed")? reason
---@return string? decoder Whose it is, if it can't be read.
function advertisement:decode() end

--- The values of one advertisement by name, in the units that the decoder's `fields` name; and where they come from.
---@class ble.reading
---@field decoder string Name and version, as in `"ruuvi 1.0.0"`.
---@field rule string    The row of the decoder's `match`.
---@field model? string
---@field [string] number|string|boolean

--- A scan under way: the iterator's state and closing value.
---@class ble.scan
---@field dropped integer Advertisements that were lost because the loop was slow.
local scan = {}

--- The next advertisement, without what only `ble.scan` adds; nil at the end.
---@return ble.advertisement?
function scan:next() end

--- Ends it.
function scan:cancel() end

--- An iterator over what is heard: `for adv in ble.scan{ timeout = 5 } do`. Without `timeout` and `count` it goes on
--- until the loop is left, which stops the scan.
---@param filter? ble.filter
---@return fun(scan: ble.scan): ble.advertisement?
---@return ble.scan scan
---@return nil
---@return ble.scan closing
function ble.scan(filter) end

--- The first that matches. Raises `not_found` after `timeout`, 10 s if not given.
---@param filter ble.filter
---@return ble.advertisement
function ble.find(filter) end

--- All devices that match, the strongest first. It listens for `timeout`, 10 s if not given.
---@param filter? ble.filter
---@return ble.advertisement[]
function ble.discover(filter) end

-- Connections

---@class ble.device.options
---@field adapter? string Name or address.

---@class ble.connect.options
---@field timeout? number  Seconds for everything, attempts and pauses included; 20.
---@field attempts? integer How often it is tried; 4.
---@field adapter? string  Name or address.

--- Brings the link up and waits for the services. Held by a `<close>` variable, the link goes down at its end:
---
--- ```lua
--- local dev <close> = ble.connect("C8:3F:26:00:00:01")
--- ```
---@param target ble.target
---@param options? ble.connect.options
---@return ble.device
function ble.connect(target, options) end

--- Connects, runs `fn(device)`, and disconnects however that ends. Returns what `fn` returns.
---@generic R
---@param target ble.target
---@param options? ble.connect.options May be left out.
---@param fn fun(device: ble.device): R
---@return R
---@overload fun(target: ble.target, fn: fun(device: ble.device): any): any
function ble.with(target, options, fn) end

--- Seconds between attempts: `first`, then `factor` times the last, at most `max`; each longer or shorter by up to
--- `spread`, a fraction. They begin anew after a link that lasted 10 s.
---@class ble.backoff
---@field first? number   1
---@field factor? number  2
---@field max? number     60
---@field spread? number  0.2

---@class ble.keep.options: ble.connect.options
---@field backoff? ble.backoff
---@field on_retry? fun(err: ble.error, pause: number) Called before each pause: why, and how long.

--- Runs `fn(device)` at each connection, and connects again whenever the link is lost, in a task that it returns:
--- `:cancel()` ends it and takes the link down, `:wait()` gives what `fn` returned. docs/recovery.md says what it
--- survives, and which errors of `fn` end it. `timeout` and `attempts` are those of each connect.
---@param target ble.target
---@param options? ble.keep.options May be left out.
---@param fn fun(device: ble.device): any, ...
---@return task.task
---@overload fun(target: ble.target, fn: fun(device: ble.device): any, ...): task.task
function ble.keep(target, options, fn) end

--- Names a device without connecting it.
---@param address ble.address|ble.device
---@param options? ble.device.options
---@return ble.device
function ble.device(address, options) end

--- A device, connected or not. What is not known is nil.
---@class ble.device
---@field address ble.address
---@field address_type "public"|"random"
---@field adapter string
---@field name? string
---@field rssi? integer            dBm, last heard.
---@field connected boolean
---@field services_resolved boolean
---@field paired boolean
---@field bonded boolean
---@field trusted boolean
---@field blocked boolean
---@field mtu? integer             Known while connected.
local device = {}

--- Takes the link down, whoever holds it. Returns when it is down, which takes BlueZ two seconds.
---@param options? ble.timeout 10 s if not given.
function device:disconnect(options) end

--- Calls `fn` in a task of its own that does not keep the script alive: at each loss of the link with its reason, or at
--- each change of the services. The reason's own `reason` is `"local"` when this script took the link down,
--- `"adapter_off"` or `"unavailable"` when the adapter or bluetoothd went.
---@param event "disconnect"|"services"
---@param fn fun(reason: ble.error|true)
---@return ble.events
function device:on(event, fn) end

--- What the device offers; empty while not connected.
---@return ble.service[]
function device:services() end

--- The one service of this UUID, or an error: `not_found`, `ambiguous`.
---@param uuid ble.uuid
---@return ble.service
function device:service(uuid) end

--- The one characteristic of this name, or an error: `not_found`, `ambiguous`.
---@param ref ble.ref
---@return ble.characteristic
function device:characteristic(ref) end

--- As it was in the device's table when the script asked.
---@class ble.service
---@field uuid string
---@field name? string                   The SIG's.
---@field handle integer
---@field primary boolean
---@field includes ble.service[]
---@field characteristics ble.characteristic[]

---@alias ble.property
---| "broadcast" | "read" | "write_without_response" | "write" | "notify" | "indicate" | "authenticated_signed_writes"
---| "extended_properties" | "reliable_write" | "writable_auxiliaries"

--- As it was in the device's table when the script asked; `notifying`, `mtu` and `value` are of now.
---@class ble.characteristic
---@field uuid string
---@field name? string                   The SIG's.
---@field handle integer                 Of the declaration, as in BlueZ's paths; the value's is the next one.
---@field properties table<ble.property, true> `if c.properties.notify then`
---@field notifying boolean
---@field mtu? integer
---@field value? string                  What BlueZ last saw, without asking the device.
---@field descriptors ble.descriptor[]
---@field service ble.service
---@field device ble.device

---@class ble.descriptor
---@field uuid string
---@field name? string                   The SIG's.
---@field handle integer

-- Operations: those of one device run one at a time, in the order they were asked for.

---@class ble.read.options: ble.timeout
---@field as? codec.as     How to decode; bytes if not given.
---@field offset? integer

--- Asks the device. `timeout`: 10 s if not given; the wait for earlier operations counts.
---@param ref ble.ref
---@param options? ble.read.options
---@return any value, any ...
function device:read(ref, options) end

---@class ble.write.options: ble.timeout
---@field as? codec.as       How to encode; bytes if not given.
---@field response? boolean  If not given: with response where the characteristic allows it.
---@field offset? integer
---@field reliable? boolean  A reliable write.

--- Without response it returns when BlueZ has taken it, not when the device has it.
---@param ref ble.ref
---@param value any
---@param options? ble.write.options
function device:write(ref, value, options) end

---@class ble.descriptor.options: ble.timeout
---@field as? codec.as

---@param ref ble.ref        The characteristic.
---@param uuid ble.uuid      The descriptor.
---@param options? ble.descriptor.options
---@return any value, any ...
function device:read_descriptor(ref, uuid, options) end

---@param ref ble.ref        The characteristic.
---@param uuid ble.uuid      The descriptor; not 2902, which BlueZ writes itself.
---@param value any
---@param options? ble.descriptor.options
function device:write_descriptor(ref, uuid, value, options) end

---@class ble.subscribe.options: ble.timeout
---@field as? codec.as
---@field buffer? integer    Values that may wait before the oldest is dropped; 1024.

--- Calls `fn` with each value, in order, in a task of its own that does not keep the script alive: `:wait()` does.
---@param ref ble.ref
---@param fn fun(value: any, ...: any)
---@param options? ble.subscribe.options
---@return ble.subscription
function device:subscribe(ref, fn, options) end

--- A `<close>` variable cancels it.
---@class ble.subscription
---@field dropped integer Values that were lost because the reader was slow.
local subscription = {}

--- No more values. The last one of a characteristic has the device stop.
function subscription:cancel() end

--- Returns when it has ended, by a cancel or with the link.
function subscription:wait() end

---@class ble.notifications.options: ble.subscribe.options
---@field timeout? number    Seconds that each value may take; if not given, as long as it likes.
---@field count? integer     Values after which the loop ends.

--- An iterator: `for beat in dev:notifications("heart_rate_measurement", { as = "auto" }) do`. Raises `timeout`, and
--- `disconnected` when the link is lost. Leaving the loop ends the subscription.
---@param ref ble.ref
---@param options? ble.notifications.options
---@return fun(): any, ...
function device:notifications(ref, options) end

---@class ble.request.options: ble.timeout
---@field as? codec.as       How to decode the answer.
---@field reply_on? ble.ref  Where the answer comes; if not given, where it was written.
---@field match? fun(bytes: string): any  Whether it is the answer; if not given, the first is.
---@field response? boolean  As in `write`.

--- Writes, then waits for the notification that answers. It subscribes first, so that none is missed.
---@param ref ble.ref
---@param bytes string
---@param options? ble.request.options
---@return any value, any ...
function device:request(ref, bytes, options) end

-- The one-call forms connect if need be, and disconnect if they were the ones who connected.

---@class ble.read.once: ble.read.options, ble.connect.options

---@class ble.write.once: ble.write.options, ble.connect.options

--- `timeout`: for all of it.
---@param target ble.target
---@param ref ble.ref
---@param options? ble.read.once
---@return any value, any ...
function ble.read(target, ref, options) end

--- `timeout`: for all of it.
---@param target ble.target
---@param ref ble.ref
---@param value any
---@param options? ble.write.once
function ble.write(target, ref, value, options) end

return ble
