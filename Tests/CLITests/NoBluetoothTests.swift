import EventLoop
import Testing

/// What stands in the way of all Bluetooth: status 3, and one error that says what.
@Suite struct NoBluetoothTests {
  init() { EventLoop.runInBackground() }

  static let connect = "\n\nrequire('ble').connect('C8:3F:26:00:00:01')"
  static let place = "blescript: script.lua:3: connect on C8:3F:26:00:00:01: "

  @Test(arguments: [
    (
      "require('sim').bluetoothd.stop()",
      """
      bluetoothd is not running (step: adapter)
        start it: `systemctl start bluetooth`
      """
    ),
    (
      "require('sim').adapter { plugged = false }",
      """
      no Bluetooth adapter (step: adapter)
        plug one in; `rfkill list` and `dmesg | grep -i bluetooth` say what the kernel sees
      """
    ),
    (
      "require('sim').adapter { powered = false }",
      """
      the adapter hci0 is off (step: adapter)
        switch it on: `bluetoothctl power on`, or ble.adapter():power(true)
      """
    ),
    (
      "require('sim').denied = true",
      """
      the system bus does not let you talk to BlueZ (step: adapter)
        check /etc/dbus-1/system.d/bluetooth.conf, and in a container its bus
      """
    ),
  ])
  @LoopActor func anAdapterIsNotToBeHad(world: String, reason: String) async throws {
    try await World.with(world, script: Self.connect) { world async throws in
      #expect(try await world.run() == Ending(status: 3, errors: Self.place + reason + "\n"))
    }
  }

  @Test @LoopActor func thereIsNoBus() async throws {
    let folder = try Folder(["script.lua": Self.connect])
    let ending = try await Program.run([folder.path + "/script.lua"], bus: "unix:path=/nonexistent/bus")
    #expect(
      ending
        == Ending(
          status: 3,
          errors: """
            blescript: \(folder.path)/script.lua:3: connect on C8:3F:26:00:00:01: there is no system bus: Failed to connect to \
            socket /nonexistent/bus: No such file or directory (system bus at unix:path=/nonexistent/bus) (step: adapter)
              is dbus-daemon running? DBUS_SYSTEM_BUS_ADDRESS says where it is looked for

            """))
  }

  @Test @LoopActor func thereIsNoAdapterOfThatName() async throws {
    try await World.with(script: Self.connect) { world async throws in
      let ending = try await Program.run(["--adapter", "hci7", world.folder.path + "/script.lua"], bus: world.address)
      #expect(ending.status == 3)
      #expect(ending.errors.contains("connect on C8:3F:26:00:00:01: no adapter hci7 (there: hci0) (step: adapter)\n"))
    }
  }

  @Test @LoopActor func theAdapterGoesOffInTheMidstOfAScan() async throws {
    try await World.with(script: "print 'begin'\nfor _ in require('ble').scan() do end") { world async throws in
      let program = try world.start()
      try await program.says("begin")
      try await EventLoop.shared.clock.sleep(0.5)
      try await world.order("hci0 power off")
      #expect(
        try await program.end()
          == Ending(
            status: 3, output: "begin\n",
            errors: """
              blescript: \(world.folder.path)/script.lua:2: scan: the adapter hci0 is off (step: scan)
                switch it on: `bluetoothctl power on`, or ble.adapter():power(true)

              """))
    }
  }
}
