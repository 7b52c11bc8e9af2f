-- bluetoothd runs, and there is no adapter.
require("sim").adapter { name = "hci0", address = "AA:BB:CC:00:00:01", plugged = false }
