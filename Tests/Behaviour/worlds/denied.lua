-- The bus lets nobody talk to bluetoothd.
require("sim").denied = true
