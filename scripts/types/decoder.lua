---@meta

--- What a decoder file returns: see docs/writing-decoders.md.
---@class decoder
---@field meta decoder.meta
---@field match decoder.rule[]
---@field fields table<string, decoder.field> Each name that `decode` may return.
---@field key? decoder.key                    For a family that encrypts.
---@field decode fun(payload: string, ctx: decoder.context): decoder.values?, ("key_required"|"decrypt_failed")?
---@field tests decoder.test[]

---@alias decoder.values table<string, number|string|boolean>

---@class decoder.meta
---@field name string
---@field version string
---@field models string[]
---@field license? string
---@field author? string
---@field spec? string[]  Where the format is described.

--- A row of `match`. One of `company`, `service_data`, `service` and `name_prefix` has to be there.
---@class decoder.rule
---@field id string
---@field model? string
---@field company? integer|integer[]
---@field service_data? string  A UUID.
---@field service? string       A UUID that is advertised.
---@field name_prefix? string
---@field first? (integer|false)[] The first bytes of the payload; `false`: any.
---@field len? integer|integer[]
---@field address? string       How the address begins.

---@class decoder.field
---@field unit? string
---@field class? string  What is measured: `"temperature"`.
---@field kind? string   How to take it: `"counter"`.
---@field digits? integer After the point.
---@field bits? integer  Of a counter.
---@field type? "number"|"string"|"boolean" `"number"` if not given.

---@class decoder.key
---@field name string     What its maker calls it.
---@field bytes integer
---@field per "address"

---@class decoder.context
---@field rule string     The `id` of the row that fits.
---@field adv table       The advertisement, without its methods.
---@field address string  Six bytes, as an address is written.
---@field key? string     Bytes.
---@field state table<number|string|boolean, number|string|boolean> Kept for each address.

--- An advertisement, its data in hexadecimal digits, and either `expect` or `error`.
---@class decoder.test
---@field manufacturer_data? table<integer, string>
---@field service_data? table<string, string>
---@field services? string[]
---@field name? string
---@field address? string
---@field key? string
---@field expect? table<string, number|string|boolean>
---@field error? "key_required"|"decrypt_failed"|"nobody"

--- AES-128, for decoders. Keys have 16 bytes.
---@class crypto
crypto = {}

---@param key string
---@param data string Whole blocks of 16 bytes.
---@return string
function crypto.ecb_encrypt(key, data) end

---@param key string
---@param data string Whole blocks of 16 bytes.
---@return string
function crypto.ecb_decrypt(key, data) end

---@class crypto.ctr.options
---@field key string
---@field counter string        The first block, 16 bytes.
---@field data string
---@field little_endian? boolean Its first byte counts fastest; else its last.

--- The same both ways.
---@param options crypto.ctr.options
---@return string
function crypto.ctr(options) end

---@class crypto.ccm_open.options
---@field key string
---@field nonce string 7 to 13 bytes.
---@field data string
---@field tag string   4 to 16 bytes, an even number.
---@field aad? string  What is authenticated and not encrypted.

--- Nil when the tag does not fit.
---@param options crypto.ccm_open.options
---@return string?
function crypto.ccm_open(options) end
