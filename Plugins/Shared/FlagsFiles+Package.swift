import Foundation
import PackagePlugin

extension FlagsFiles {
    /// The flags files of a package's targets.
    static func of(_ package: Package, target name: String?) throws -> [URL] {
        let targets = try name.map { try package.targets(named: [$0]) } ?? package.targets
        return targets.flatMap { target in
            among(target.sourceModule?.sourceFiles.map(\.url) ?? [])
        }
    }
}
