@main struct SampleCLI { static func main() {} }
