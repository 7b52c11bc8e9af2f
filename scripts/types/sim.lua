---@meta sim

--- What the author of a virtual world writes: `local sim = require "sim"`. `blescript sim WORLD.lua` plays it.
---@class sim
---@field adapter sim.adapters The first adapter; called, it makes one. A world that makes none has hci0.
---@field bluetoothd sim.bluetoothd
---@field denied boolean The bus refuses calls to bluetoothd with AccessDenied.
---@field never sim.answer No answer at all: the central gives up after 30 s.
local sim = {}

---@class sim.answer

---@class sim.bluetoothd
---@field start fun(self: sim.bluetoothd)
---@field stop fun(self: sim.bluetoothd) SIGTERM. While the world is read: bluetoothd does not run.
---@field restart fun(self: sim.bluetoothd)
---@field crash fun(self: sim.bluetoothd) SIGKILL: nothing is announced, links stay up.

---@class sim.adapter
---@field name string
local adapter = {}
--- Switches it, as the kernel would (rfkill): clients are not asked.
---@param on boolean
function adapter:power(on) end
--- Pulls the dongle out.
function adapter:unplug() end
--- Plugs it in again.
function adapter:plug() end

---@class sim.adapter.options
---@field name? string `hci0` …
---@field address? string
---@field powered? boolean Default true.
---@field plugged? boolean Default true.

---@class sim.adapters: sim.adapter
---@overload fun(options: sim.adapter.options): sim.adapter

---@class sim.fields
---@field name? string
---@field services? string[] UUIDs
---@field manufacturer_data? table<integer, string> Bytes by company.
---@field service_data? table<string, string> Bytes by UUID.
---@field tx_power? integer dBm
---@field appearance? integer

---@class sim.pairing
---@field passkey? integer It shows this one, which the other side types. None of these: Just Works.
---@field compare? integer Both sides show this number, and the other side confirms that it is the same.
---@field type? integer The other side shows this passkey; it is typed here, which takes two seconds.
---@field refuse? boolean It does not pair.

---@class sim.peripheral.options: sim.fields
---@field address string
---@field address_type? "random"|"public" Default `random`.
---@field id? string What orders call it; default: the name in lower case.
---@field rssi? integer dBm, default -60.
---@field interval? number Seconds between advertisements, default 0.1.
---@field flags? integer|false Default 0x06; false: none.
---@field scan_response? sim.fields
---@field connectable? boolean Default true.
---@field mtu? integer 23 to 517, default 517.
---@field pairing? sim.pairing
---@field gatt? boolean False: without the usual GAP and GATT services at 0x0001 to 0x000d.

---@class sim.peripheral
---@field address string
---@field connected boolean
local peripheral = {}

---@param options sim.peripheral.options
---@return sim.peripheral
function sim.peripheral(options) end

---@class sim.service.options
---@field [1]? string The UUID, where it is not an argument of its own.
---@field primary? boolean Default true.
---@field handle? integer
---@field includes? sim.service[]

--- Adds a service; handles ascend in the order of the file.
---@param uuid string|sim.service.options
---@param options? sim.service.options
---@return sim.service
function peripheral:service(uuid, options) end

--- By its `id`, UUID or declaration handle.
---@param reference string|integer
---@return sim.characteristic?
function peripheral:characteristic(reference) end

--- `connect` gets the count of connections and may return `sim.fail(…)`; `subscribe` and `unsubscribe` get the
--- characteristic.
---@param event "connect"|"disconnect"|"subscribe"|"unsubscribe"
---@param fn fun(about: any): sim.answer?
---@return sim.peripheral
function peripheral:on(event, fn) end

--- Hangs up.
function peripheral:disconnect() end
--- The link is lost, which both sides notice.
function peripheral:lose() end
--- Stops advertising.
function peripheral:hide() end
function peripheral:show() end
--- Stays connected, but hears and says nothing.
function peripheral:mute() end
function peripheral:unmute() end

---@class sim.changes: sim.fields
---@field flags? integer
---@field rssi? integer

--- Changes the advertisement: the fields given take the place of those that were.
---@param changes sim.changes
function peripheral:advertise(changes) end

--- Adds a manufacturer's field to the advertisement.
---@param company integer
---@param bytes string
function peripheral:add_manufacturer_data(company, bytes) end

---@class sim.service
---@field uuid string
---@field handle integer
local service = {}

--- What `on_read` may return: bytes, or an answer. What `on_write` may return: nothing, or an answer.
---@class sim.characteristic.options
---@field [1] string The UUID; the properties follow: `"read"`, `"write"`, `"write_without_response"`, `"notify"` …
---@field id? string What orders call it.
---@field value? string
---@field on_read? fun(): string|sim.answer
---@field on_write? fun(value: string): sim.answer?
---@field handle? integer Of the declaration; the value's is the next one.
---@field max? integer Longer writes are refused with 0x0d; default 512.
---@field encrypted? boolean
---@field authenticated? boolean
---@field refuse_subscription? integer The ATT error with which subscribing is refused.

---@param options string|sim.characteristic.options
---@return sim.characteristic
function service:characteristic(options) end

---@class sim.characteristic
---@field uuid string
---@field handle integer
---@field value string What a read gives. Setting it tells nobody.
local characteristic = {}

--- Notifies who has subscribed; whether somebody has.
---@param bytes string
---@return boolean
function characteristic:notify(bytes) end

---@param bytes string
---@return boolean
function characteristic:indicate(bytes) end

---@class sim.descriptor.options
---@field [1] string The UUID; `"read"` and `"write"` may follow, default is `"read"`.
---@field value? string
---@field on_read? fun(): string|sim.answer
---@field on_write? fun(value: string): sim.answer?
---@field handle? integer
---@field max? integer
---@field encrypted? boolean
---@field authenticated? boolean

---@param options string|sim.descriptor.options
---@return sim.descriptor
function characteristic:descriptor(options) end

---@class sim.descriptor
---@field value string

--- An ATT error as an answer.
---@param code integer
---@return sim.answer
function sim.att(code) end

--- An answer that takes its time.
---@param seconds number
---@param answer? string|sim.answer
---@return sim.answer
function sim.later(seconds, answer) end

--- In a "connect" handler: this connection fails, with BlueZ's text, `le-connection-abort-by-local` for one.
---@param text string
---@return sim.answer
function sim.fail(text) end

---@class sim.timer
---@field cancel fun(self: sim.timer)

---@param seconds number
---@param fn fun()
---@return sim.timer
function sim.after(seconds, fn) end

---@param seconds number
---@param fn fun()
---@return sim.timer
function sim.every(seconds, fn) end

--- Seconds on the world's clock.
---@return number
function sim.time() end

---@class sim.fault.options
---@field on string A method of bluetoothd (`ReadValue`, `Connect` …), `Set` and a property (`Set Powered`), or `*`.
---@field path? string
---@field peripheral? sim.peripheral|string
---@field characteristic? sim.characteristic|string
---@field nth? integer From the how-manieth such call on; default 1.
---@field times? integer How many calls; default: all.
---@field error? string A D-Bus error; without a dot one of `org.bluez.Error`.
---@field message? string The error's text.
---@field delay? number Seconds before the call is carried out.
---@field silent? boolean The call is never answered.
---@field disconnect? boolean The peripheral hangs up.
---@field lose? boolean The link is lost.
---@field power_off? boolean All adapters go off.
---@field crash? boolean bluetoothd dies.
---@field run? fun() Anything else.

--- Something goes wrong at a step. Of several that fit a call the first is taken.
---@param options sim.fault.options
function sim.fault(options) end

--- Takes all faults back.
function sim.no_faults() end

--- Orders are lines such as `pulse notify 2a37 0048`. `fn` is asked first; unless it returns true, the order is one of
--- the usual ones: `WHO disconnect`, `lose`, `hide`, `show`, `mute`, `unmute`; `WHO notify CHARACTERISTIC HEX`,
--- `indicate`, `set`; `WHO manufacturer COMPANY HEX`; `hciN unplug`, `plug`, `power on`, `power off`;
--- `bluetoothd stop`, `start`, `restart`, `crash`.
---@param fn fun(line: string): boolean?
function sim.order(fn) end

return sim
