/// First inputs of the target `flags`: what the tests of the flags file read and ask, and one rule
/// for each of its operators.
enum FlagsSeeds {
    static let all: [ContiguousArray<UInt8>] =
        rules.map { seed(file(flag(targeting: $0))) } + files.map { seed($0) }

    private static func seed(_ file: String) -> ContiguousArray<UInt8> {
        ContiguousArray((context + "\n" + file).utf8)
    }

    private static let context =
        #"{"targetingKey":"qa-0001","email":"u0@corp.example","appVersion":"6.0.0-beta.1","#
        + #""n":7919,"#
        + #""region":"eu-west","list":[1,"2",null],"deep":{"a":{"b":"c"}},"beta":true}"#

    private static func flag(targeting: String) -> String {
        #""f":{"state":"ENABLED","variants":{"a":"A","b":"B","true":true,"false":false,"1":1},"#
            + #""defaultVariant":"b","targeting":\#(targeting)}"#
    }

    private static func file(_ flags: String) -> String {
        #"{"flags":{\#(flags)},"$evaluators":{"staff":{"ends_with":[{"var":"email"},"#
            + #""@corp.example"]},"#
            + #""old":{"sem_ver":[{"var":"appVersion"},"<","6.0.0"]},"nested":{"$ref":"old"}}}"#
    }

    private static let rules: [String] = [
        // The sample that the oracle answered.
        #"{"if":[{"in":[{"var":"targetingKey"},["qa-0001","qa-0002"]]},"a",{"$ref":"old"},"b","#
            + #"{"==":[{"var":"region"},"kiosk"]},null,{"$ref":"staff"},"a",{"fractional":["#
            + #"{"cat":["seed:",{"var":"targetingKey"}]},["a",20],["b",80]]}]}"#,
        #"{"fractional":[["a",30],["b",70]]}"#,
        #"{"fractional":[{"var":"targetingKey"},["a",1000],["b",999000]]}"#,
        #"{"fractional":[{"var":"n"},["a",50],["b",50]]}"#,
        #"{"fractional":[{"var":"nope"},["a"],["b",0]]}"#,
        #"{"fractional":[{"if":[{"var":"beta"},["a",5]]},[{"var":"x"},{"-":[10,3]}],["b","#
            + #"2147483647]]}"#,
        #"{"ends_with":[{"var":"email"},"@corp.example"]}"#,
        #"{"if":[{"starts_with":[{"var":"region"},"eu-"]},"a",null]}"#,
        #"{"if":[{"sem_ver":[{"var":"appVersion"},"^","v6.1+b.7"]},"a"]}"#,
        #"{"if":[true,"purple"]}"#, #"{"cat":["pur","ple"]}"#, #"{"starts_wiht":["a","b"]}"#,
        #"{"$ref":"nested"}"#, #"{"$ref":"gone"}"#, #"{"$ref":7}"#, #"{}"#, #"[]"#,
        #"{"or":[{"and":[{"!":[{"var":"a"}]},{"!!":[[]]}]},{"!=":[1,"1"]},{"===":[[1],[1]]},"#
            + #"{"!==":[null,0]}]}"#,
        #"{"<":[1,{"var":"n"},9000]}"#, #"{">=":["b","a"]}"#, #"{">":[{"var":"list"},true]}"#,
        #"{"<=":["",0.5]}"#,
        #"{"max":[1,{"var":"n"},"3",{"min":[-1,2.5]}]}"#,
        #"{"+":[1,"2",9223372036854775807]}"#, #"{"-":[{"*":[3,1e300,1e300]}]}"#,
        #"{"%":[{"/":[7,2]},-2]}"#, #"{"/":[1,0]}"#,
        #"{"map":[{"var":"list"},{"cat":[{"var":""},"x"]}]}"#,
        #"{"filter":[{"var":"list"},{"<":[{"var":""},2]}]}"#,
        #"{"all":[{"var":"list"},{"var":""}]}"#, #"{"some":[{"var":"list"},{"var":""}]}"#,
        #"{"none":[{"var":"list"},{"var":""}]}"#,
        #"{"cat":[{"reduce":[[1,2,3],[{"var":"accumulator"},{"var":"accumulator"},"#
            + #"{"var":"current"}],1]}]}"#,
        #"{"reduce":[[1,2,3],{"cat":[{"var":"accumulator"},{"var":"accumulator"}]},"ab"]}"#,
        #"{"merge":[[1,[2]],3,{"var":"list"}]}"#,
        #"{"missing":["n","gone",{"var":"region"}]}"#,
        #"{"missing_some":[1,["n","gone","deep.a.b"]]}"#,
        #"{"substr":["a😀b",-2,{"var":"list.0"}]}"#, #"{"var":["deep.a.c","a"]}"#,
        #"{"var":{"cat":["list",".length"]}}"#, #"{"in":["b",{"var":"deep.a.b"}]}"#,
        #"{"if":[{"<":[{"var":"$flagd.timestamp"},1764547200]},{"var":"$flagd.flagKey"}]}"#,
    ]

    private static let files: [String] = [
        // What may be wrong with a flag, beside one that works.
        file(
            flag(targeting: "null")
                + #","g":7,"h":{"state":"on","variants":{"a":1},"defaultVariant":"z"},"#
                + #""i":{"state":"ENABLED","variants":{},"metadata":[]},"#
                + #""j":{"state":"ENABLED","variants":{"x":9007199254740993,"y":1e400,"":null}}"#),
        file(
            #""é":{"state":"ENABLED","variants":{"on":true,"off":false}},"e\u0301":{"state":"DISABLED"},"#
                + flag(targeting: #"{"var":"x"}"#) + "," + flag(targeting: "{}")),
        // Each type of variant.
        #"{"metadata":{"bucketing":"v2","generation":3,"killSwitch":true},"flags":{"#
            + #""int":{"state":"ENABLED","variants":{"s":20,"l":200.0},"defaultVariant":"l"},"#
            + #""real":{"state":"ENABLED","variants":{"s":1.5,"f":1},"defaultVariant":"f"},"#
            + #""object":{"state":"ENABLED","variants":{"o":{"max":3,"x":[true]}},"#
            + #""defaultVariant":"o","metadata":{"owner":"chat"}}}}"#,
        #"{"flags":{"f":{"state":"ENABLED","variants":{"a":{"k":1,"k":2}},"k":0}}}"#,
        #"{"flags":{},"flags":{}}"#, #"{"flags":{},"metadata":{"bucketing":"v3"}}"#,
        #"{"flags":{},"$evaluators":{"a":1,"a":2},"x":1}"#, "", "[]", "{",
    ]
}
