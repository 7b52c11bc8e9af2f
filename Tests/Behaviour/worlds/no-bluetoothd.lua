-- bluetoothd does not run.
require("sim").bluetoothd.stop()
