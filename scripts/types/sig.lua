---@meta sig

--- The Bluetooth SIG's definitions of characteristics: what `as = "auto"` stands for, by UUID. A value that is not
--- known is nil. Where there are names for numbers, a number without one stays a number.
---@class sig
---@field topics table<string, string> The files of scripts/lib/sig, with the UUIDs that they define.
---@field [string] codec.codec
local sig = {}

--- How far a counter went from `old` to `new`, if it starts again at `modulus`.
---@param new number
---@param old number
---@param modulus number
---@return number
function sig.difference(new, old, modulus) end

--- A function that, given a counter, returns how far it went since the call before; nil at the first.
---@param modulus number
---@return fun(value: number): number?
function sig.counter(modulus) end

--- A function that, given revolutions and the time of the last one, returns revolutions a second since the call before:
--- nil at the first, 0 if there were none.
---
--- ```lua
--- local cadence = sig.rate(2 ^ 16, 64)
--- for value in bike:notifications("2a5b", { as = "auto" }) do
---   local per_second = cadence(value.crank_revolutions, value.crank_time)
---   if per_second then print(per_second * 60) end
--- end
--- ```
---@param revolutions number  Where they start again: 2^32 for a wheel, 2^16 for a crank.
---@param seconds number      Where the time starts again: 64, but 32 for the wheel of 2a63.
---@return fun(revolutions: number, time: number): number?
function sig.rate(revolutions, seconds) end

-- Values

--- As os.time takes it. What is 0 in the bytes is nil: not known.
---@class sig.date_time
---@field year? integer
---@field month? integer
---@field day? integer
---@field hour integer
---@field min integer
---@field sec integer

--- 2a2b
---@class sig.current_time: sig.date_time
---@field day_of_week? integer From Monday, 1
---@field fraction number      s
---@field adjust_reason { manual: boolean, reference: boolean, time_zone: boolean, dst: boolean }

--- 2a37
---@class sig.heart_rate
---@field bpm integer
---@field contact? boolean  nil: the sensor can't tell
---@field energy? integer   kJ since the last reset
---@field rr? number[]      s between beats, oldest first

--- 2a1c, 2a1e
---@class sig.temperature
---@field temperature? number  nil: it failed
---@field unit "°C"|"°F"
---@field timestamp? sig.date_time
---@field temperature_type? string|integer Where it was taken: "mouth", "ear" …

--- 2a35; 2a36 has `current_cuff_pressure` for the three pressures.
---@class sig.blood_pressure
---@field systolic? number
---@field diastolic? number
---@field mean_arterial_pressure? number
---@field unit "mmHg"|"kPa"
---@field timestamp? sig.date_time
---@field pulse_rate? number          1/min
---@field user_id? integer
---@field measurement_status? table<string, boolean|string|integer>

--- 2a9d
---@class sig.weight
---@field weight? number
---@field weight_unit "kg"|"lb"
---@field timestamp? sig.date_time
---@field user_id? integer
---@field bmi? number           kg/m²
---@field height? number
---@field height_unit? "m"|"in"

--- 2a9c. Masses are in `weight_unit`.
---@class sig.body_composition
---@field body_fat_percentage? number %
---@field weight_unit "kg"|"lb"
---@field timestamp? sig.date_time
---@field user_id? integer
---@field basal_metabolism? integer  kJ
---@field muscle_percentage? number  %
---@field muscle_mass? number
---@field fat_free_mass? number
---@field soft_lean_mass? number
---@field body_water_mass? number
---@field impedance? number          Ω
---@field weight? number
---@field height? number
---@field height_unit? "m"|"in"
---@field multiple_packets boolean   It goes on in the next indication.

--- 2a5b. `sig.rate` makes speeds of it.
---@class sig.csc
---@field wheel_revolutions? integer
---@field wheel_time? number  s
---@field crank_revolutions? integer
---@field crank_time? number  s

--- 2a53
---@class sig.rsc
---@field speed number           m/s
---@field cadence integer        1/min
---@field stride_length? number  m
---@field total_distance? number m
---@field running boolean

--- 2a63
---@class sig.cycling_power: sig.csc
---@field power integer                W
---@field pedal_power_balance? number  %
---@field balance_reference? "unknown"|"left"
---@field accumulated_torque? number   N m
---@field torque_source? "wheel"|"crank"
---@field maximum_force? integer       N
---@field minimum_force? integer       N
---@field maximum_torque? number       N m
---@field minimum_torque? number       N m
---@field maximum_angle? integer       °
---@field minimum_angle? integer       °
---@field top_dead_spot? integer       °
---@field bottom_dead_spot? integer    °
---@field accumulated_energy? integer  kJ
---@field offset_compensation boolean

--- 2a18
---@class sig.glucose
---@field sequence_number integer
---@field base_time sig.date_time
---@field time_offset? integer         min
---@field glucose_concentration? number
---@field unit? "kg/L"|"mol/L"
---@field glucose_type? string|integer
---@field sample_location? string|integer
---@field sensor_status? table<string, boolean>
---@field context_follows boolean
---@field context? sig.glucose_context With racp.records.

--- 2a34
---@class sig.glucose_context
---@field sequence_number integer
---@field extended_flags? integer
---@field carbohydrate_id? string|integer
---@field carbohydrate? number         kg
---@field meal? string|integer
---@field tester? string|integer
---@field health? string|integer
---@field exercise_duration? integer   s
---@field exercise_intensity? integer  %
---@field medication_id? string|integer
---@field medication? number
---@field medication_unit? "kg"|"L"
---@field hba1c? number                %

--- 2a5e, 2a5f. Saturation in %, rates in 1/min.
---@class sig.oximeter
---@field spo2? number
---@field pulse_rate? number
---@field spo2_fast? number             2a5f
---@field pulse_rate_fast? number       2a5f
---@field spo2_slow? number             2a5f
---@field pulse_rate_slow? number       2a5f
---@field timestamp? sig.date_time      2a5e
---@field clock_not_set? boolean        2a5e
---@field measurement_status? table<string, boolean>
---@field sensor_status? table<string, boolean>
---@field pulse_amplitude_index? number %

--- What the records of fitness machines have in common: 2acd to 2ad2.
---@class sig.fitness
---@field total_energy? integer         kcal
---@field energy_per_hour? integer      kcal/h
---@field energy_per_minute? integer    kcal/min
---@field heart_rate? integer           1/min
---@field metabolic_equivalent? number
---@field elapsed_time? integer         s
---@field remaining_time? integer       s
---@field total_distance? integer       m
---@field power? integer                W
---@field average_power? integer        W
---@field resistance? number

--- 2ad2
---@class sig.indoor_bike: sig.fitness
---@field speed? number                 km/h
---@field average_speed? number         km/h
---@field cadence? number               1/min
---@field average_cadence? number       1/min

--- 2acd
---@class sig.treadmill: sig.fitness
---@field speed? number                 km/h
---@field average_speed? number         km/h
---@field inclination? number           %
---@field ramp_angle? number            °
---@field positive_elevation_gain? number m
---@field negative_elevation_gain? number m
---@field pace? number                  km/min, in version 1.0 of the service
---@field average_pace? number          km/min
---@field pace_time? integer            s, in later ones
---@field average_pace_time? integer    s
---@field belt_force? integer           N

--- 2ad1
---@class sig.rower: sig.fitness
---@field stroke_rate? number           1/min
---@field stroke_count? integer
---@field average_stroke_rate? number   1/min
---@field pace? integer                 s for 500 m
---@field average_pace? integer         s for 500 m

return sig
