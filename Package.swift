// swift-tools-version: 6.1
import PackageDescription

let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: house)
}

let package = Package(
  name: "blescript",
  products: [
    .executable(name: "blescript", targets: ["blescript"]),
    .library(name: "Central", targets: ["Central", "BlueZ"]),
  ],
  targets: [
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CGetopt"),
    .systemLibrary(name: "CSwiftRuntime"),
    .target(name: "LuaGate", linkerSettings: [.linkedLibrary("lua5.4")]),

    room("EventLoop", ["CUV", "CSwiftRuntime"]),
    room("Bluetooth"),
    room("DBus", ["CDBus", "EventLoop"]),
    room("Central", ["Bluetooth", "EventLoop"]),
    room("BlueZ", ["Central", "Bluetooth", "DBus", "EventLoop"]),
    room("LuaRuntime", ["LuaGate", "EventLoop"]),
    room("LuaBLE", ["LuaRuntime", "Central", "Bluetooth", "EventLoop"]),
    room("Decoders", ["LuaRuntime", "Bluetooth", "CCrypto", "EventLoop"]),
    room("Simulator", ["DBus", "LuaRuntime", "Bluetooth", "EventLoop"]),
    room(
      "CLI",
      [
        "CGetopt", "EventLoop", "Bluetooth", "DBus", "Central", "BlueZ", "LuaRuntime", "LuaBLE", "Decoders",
        "Simulator",
      ]),
    .executableTarget(name: "blescript", dependencies: ["CLI"], swiftSettings: house),

    .executableTarget(
      name: "transcripts", dependencies: ["Simulator", "DBus", "LuaRuntime", "EventLoop"],
      path: "Tests/TranscriptPlayer",
      swiftSettings: house),

    tests("EventLoopTests", ["EventLoop"]),
    .testTarget(
      name: "SimulatorTests", dependencies: ["Simulator", "DBus", "LuaRuntime", "EventLoop"], exclude: ["Transcripts"],
      swiftSettings: house),
    tests("CentralTests", ["Central", "Bluetooth", "EventLoop"]),
    tests("LuaRuntimeTests", ["LuaRuntime", "LuaGate", "EventLoop"]),
    tests("DecodersTests", ["Decoders", "LuaRuntime", "Bluetooth", "EventLoop"]),
    tests("BluetoothTests", ["Bluetooth"]),
    tests("BlueZTests", ["BlueZ", "Central", "Bluetooth", "DBus", "Simulator", "EventLoop"]),
    tests("CLITests", ["blescript", "DBus", "EventLoop"]),
    tests("ArchitectureTests", []),
    tests("DBusTests", ["DBus", "CDBus", "EventLoop"]),
  ],
  swiftLanguageModes: [.v6]
)
