//! `docs/schema.json`, made from the types of all objects that the program prints.
//!
//! `BLESS=1 cargo test --workspace --lib schema` writes it anew; it is not to be changed by hand.

use crate::answer::json::{Object, OfLevel, SCHEMA};
use crate::commands::backends::BackendAnswer;
use crate::commands::bench::BenchRow;
use crate::commands::check::store::StoreCheckAnswer;
use crate::commands::check::{InvalidAnswer, JudgedAnswer};
use crate::commands::constrained::ConstrainedQuestion;
use crate::commands::decode::DecodeCommand;
use crate::commands::diagnose::DiagnoseCommand;
use crate::commands::difficulty::DifficultyCommand;
use crate::commands::enumerate::EnumerateCommand;
use crate::commands::explain::ExplainCommand;
use crate::commands::export::{ExportCommand, FormulaMap};
use crate::commands::generate::GenerateAnswer;
use crate::commands::hint::HintCommand;
use crate::commands::list::ListCommand;
use crate::commands::list::store::StatusAnswer;
use crate::commands::lock::check::LockCheckAnswer;
use crate::commands::needed::NeededCommand;
use crate::commands::prove::job::UndecidedAnswer;
use crate::commands::query::QuestionAnswer;
use crate::commands::replay::ReplayCommand;
use crate::commands::solve::ScheduleAnswer;
use crate::commands::solve::stored::StoredAnswer;
use crate::driver::Ask;
use crate::store::result::LevelResult;
use crate::terminal::guard::EndedAnswer;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};
use unstuck::certificate::sentences::ValidAnswer;
use unstuck::questions::forced::ForcedFacts;
use unstuck::questions::forced_pushes::ForcedPushes;
use unstuck::report::LevelAnswer;
use unstuck::solve::{EngineChoice, Request};
use unstuck_puzzles::Objective;

/// Names of fields and facts.
const NAME: &str = "^[a-z][a-z0-9_]*$";

/// The words for verdicts on levels, and the codes of these.
const VERDICTS: [&str; 4] = ["solved", "unsolvable", "no-solution-within", "unknown"];
const CODES: [u8; 4] = [0, 20, 21, 30];

/// What a failure still says of the level that it is about.
const ASKED: [&str; 14] = [
    "file",
    "number",
    "title",
    "puzzle",
    "id",
    "objective",
    "question",
    "limits",
    "after",
    "wishes",
    "key",
    "version",
    "text",
    "certificate",
];

/// The schemas of all objects, in the making.
struct Schemas {
    generator: SchemaGenerator,
    /// By their names.
    objects: Map<String, Value>,
    commands: BTreeSet<&'static str>,
}

impl Schemas {
    fn add<T: JsonSchema>(&mut self, name: &str) -> &mut Value {
        let schema = T::json_schema(&mut self.generator);
        let object = self.objects.entry(name).or_insert(schema.into());
        object["properties"]["schema"] = json!({ "const": SCHEMA });
        object["propertyNames"] = json!({ "pattern": NAME });
        object
    }

    /// What a command says of a level that it was asked about.
    fn add_result<T: JsonSchema>(&mut self, name: &str, command: &'static str) -> &mut Value {
        self.commands.insert(command);
        let object = self.add::<T>(name);
        object["properties"]["command"] = json!({ "const": command });
        object
    }

    /// An object of a command.
    fn add_object<T: JsonSchema>(&mut self, name: &str, command: &'static str) -> &mut Value {
        self.describe::<Object<'_, T>, T>(name, command)
    }

    /// An object about a level.
    fn add_level<T: JsonSchema>(&mut self, name: &str, command: &'static str) -> &mut Value {
        self.describe::<Object<'_, OfLevel<'_, T>>, T>(name, command)
    }

    /// What a command answers about a level.
    fn add_answer<C: Ask>(&mut self) -> &mut Value {
        self.add_level::<C::Fields>(C::NAME, C::NAME)
    }

    /// An object that is described as its own fields are.
    fn describe<T: JsonSchema, Own: JsonSchema>(
        &mut self,
        name: &str,
        command: &'static str,
    ) -> &mut Value {
        self.commands.insert(command);
        let own: Value = Own::json_schema(&mut self.generator).into();
        let object = self.add::<T>(name);
        object["properties"]["command"] = json!({ "const": command });
        object["description"] = own["description"].clone();
        object
    }
}

/// Lets an object have these fields, beside those that it has anyway.
fn require<'a>(object: &mut Value, fields: impl IntoIterator<Item = &'a str>) {
    let required = object["required"].as_array_mut().expect("a list");
    for field in fields {
        if !required.iter().any(|known| known == field) {
            required.push(field.into());
        }
    }
}

/// Lets an object have no fields but those that it must have, and what says what was asked.
fn keep(object: &mut Value) {
    let required = object["required"].as_array().cloned().unwrap_or_default();
    let properties = object["properties"].as_object_mut().expect("fields");
    properties.retain(|name, _| ASKED.contains(&name.as_str()) || required.contains(&json!(name)));
}

/// Says more of fields than their types do.
fn narrow(object: &mut Value, fields: Value) {
    let Value::Object(fields) = fields else { return };
    for (name, keywords) in fields {
        let property = object["properties"][&name].as_object_mut();
        let property = property.unwrap_or_else(|| panic!("there is no field {name}"));
        property.extend(keywords.as_object().cloned().unwrap_or_default());
    }
}

/// Names of facts are words joined by underscores, as those of fields are.
fn named_facts(schema: &mut Schema) {
    if let Some(facts) = schema.pointer_mut("/properties/facts") {
        facts["propertyNames"] = json!({ "pattern": NAME });
    }
    transform_subschemas(&mut named_facts, schema);
}

/// Takes out what fields are where they are missing: those that have a default are never missing.
fn without_defaults(schema: &mut Schema) {
    schema.remove("default");
    transform_subschemas(&mut without_defaults, schema);
}

/// The fields of every answer to a level.
fn answered() -> Vec<String> {
    let level = "#####\n#@$.#\n#####\n";
    let level = unstuck::open(unstuck::SOKOBAN, level, Objective::Pushes).expect("a level");
    let outcome = level.solve(&Request::default()).expect("an outcome");
    let answer = LevelAnswer::of(level.reading(&outcome), &outcome);
    match serde_json::to_value(answer) {
        Ok(Value::Object(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
        other => panic!("no object: {other:?}"),
    }
}

fn made() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut all = Schemas {
        generator: settings.into_generator(),
        objects: Map::new(),
        commands: BTreeSet::new(),
    };
    let answered = answered();
    let answered = || answered.iter().map(String::as_str);
    let sentence = json!({ "type": "string", "not": { "pattern": "null" } });
    let outcome = json!({
        "reading": { "type": "string" },
        "verdict": { "enum": VERDICTS },
        "exit": { "type": "integer", "enum": CODES },
        "sentence": sentence,
        "certified": { "type": "boolean" },
        "encoding": { "type": "string" },
        "horizons": { "type": "array" },
        "seconds": { "type": "number" },
    });
    let level = json!({
        "number": { "type": "integer", "minimum": 1 },
        "puzzle": { "type": "string" },
    });
    let exit = |codes: &[u8]| json!({ "exit": { "enum": codes } });

    let solve = all.add_result::<LevelResult>("solve", "solve");
    require(solve, answered().chain(["objective"]));
    narrow(solve, outcome.clone());
    narrow(solve, level.clone());
    narrow(solve, json!({ "objective": { "type": "string" } }));
    narrow(all.add_result::<BenchRow>("bench", "bench"), level);
    all.add_level::<ScheduleAnswer>("schedule", "solve");
    let constrained = all.add_level::<<ConstrainedQuestion as Ask>::Fields>("constrained", "solve");
    let fields =
        ["verdict", "exit", "solution", "lower", "upper", "optimal", "certified", "shown_by"];
    require(constrained, fields);
    keep(constrained);
    let narrower = json!({
        "wishes": { "type": "string" },
        "verdict": { "enum": ["solved", "unsolvable", "unknown"] },
        "exit": { "type": "integer", "enum": [0, 20, 30] },
        "optimal": { "type": "boolean" },
        "certified": { "type": "boolean" },
    });
    narrow(constrained, narrower);
    narrow(all.add_answer::<ListCommand>(), json!({ "readings": { "minItems": 1 } }));
    narrow(
        all.add_answer::<ReplayCommand>(),
        json!({ "exit": { "enum": [0, 1] }, "replays": { "minItems": 1 } }),
    );
    let map = all.add_level::<FormulaMap>("map", "export");
    let number = json!({ "type": "integer", "minimum": 1 });
    narrow(map, json!({ "variables": { "additionalProperties": number } }));
    narrow(all.add_answer::<ExportCommand>(), exit(&[0]));
    narrow(all.add_answer::<DecodeCommand>(), exit(&CODES));
    narrow(all.add_level::<ValidAnswer>("prove", "prove"), exit(&CODES[..3]));
    let undecided = all.add_level::<UndecidedAnswer>("undecided", "prove");
    require(undecided, answered());
    narrow(undecided, outcome);
    narrow(all.add_object::<JudgedAnswer>("check", "check"), json!({ "exit": { "const": 0 } }));
    narrow(all.add_object::<InvalidAnswer>("invalid", "check"), exit(&[1]));
    narrow(all.add_object::<LockCheckAnswer>("locked", "check"), exit(&[0, 1, 30]));
    all.add_object::<BackendAnswer>("backends", "backends");
    narrow(all.add_object::<GenerateAnswer>("generate", "generate"), exit(&[0]));
    all.add_answer::<HintCommand>();
    all.add_answer::<DiagnoseCommand>();
    all.add_answer::<EnumerateCommand>();
    all.add_answer::<NeededCommand>();
    all.add_answer::<ExplainCommand>();
    all.add_level::<QuestionAnswer<ForcedPushes>>("forced_pushes", "forced");
    all.add_level::<QuestionAnswer<ForcedFacts>>("forced_facts", "forced");
    narrow(all.add_answer::<DifficultyCommand>(), exit(&[0, 30]));
    let lock = all.add_result::<LevelResult>("lock", "lock");
    narrow(lock, json!({ "sentence": sentence }));
    narrow(lock, exit(&[0, 2, 20, 21, 30, 70]));
    narrow(all.add_object::<StoredAnswer>("stored", "solve"), exit(&[0, 2, 30, 70]));
    narrow(all.add_object::<StatusAnswer>("listed_store", "list"), exit(&[0, 2, 30, 70]));
    narrow(all.add_object::<StoreCheckAnswer>("checked_store", "check"), exit(&[0, 1, 30]));

    // Any command may fail, or be ended.
    let commands = json!({ "command": { "enum": all.commands } });
    let failed = all.add::<LevelResult>("failed");
    failed["description"] = "A level, a file or a command that failed.".into();
    failed["required"] = json!(["schema", "command", "verdict", "exit", "error"]);
    keep(failed);
    failed["properties"]["error"] = json!({ "$ref": "#/$defs/ErrorReport" });
    let narrower = json!({
        "verdict": { "enum": ["error", "crashed"] },
        "exit": { "type": "integer", "enum": [1, 2, 30, 70] },
    });
    narrow(failed, narrower);
    narrow(failed, commands.clone());
    let ended = all.add::<Object<'_, EndedAnswer<'_>>>("ended");
    ended["description"] = "What is known when a limit ends a command by force.".into();
    narrow(ended, commands);

    let any: Vec<Value> =
        all.objects.keys().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect();
    all.objects.extend(all.generator.take_definitions(true));
    let engines = EngineChoice::ALL.map(EngineChoice::name);
    let engines = json!({ "enum": engines.iter().chain(&["improve"]).collect::<Vec<_>>() });
    let given = json!({ "const": true });
    let question = json!({ "engine": engines, "unique": given, "rules": given });
    narrow(&mut all.objects["Question"], question);
    // Only a stage is ever cancelled, and none ends with a pause.
    let stops = all.objects["Stop"]["oneOf"].as_array_mut().expect("words");
    stops.retain(|stop| stop["const"] != "cancelled" && stop["const"] != "paused");
    let stopped = all.objects["StageReport"]["properties"]["stopped_by"]["anyOf"].as_array_mut();
    stopped.expect("limits").push(json!({ "const": "cancelled" }));
    let made = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Objects that unstuck prints with --json, schema {SCHEMA}"),
        "description": "One object on a line for each level, in every command; a level or command \
                        that fails gives an object with `error`.",
        "anyOf": any,
        "$defs": all.objects,
    });
    let mut made: Schema = made.try_into().expect("an object");
    without_defaults(&mut made);
    named_facts(&mut made);
    made
}

#[test]
fn the_schema_is_made_from_the_types() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project");
    let path = project.join("docs/schema.json");
    let made = format!("{:#}\n", made().as_value());
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &made).expect("docs/schema.json");
    }
    let kept = fs::read_to_string(&path).expect("docs/schema.json").replace("\r\n", "\n");
    assert!(kept == made, "run BLESS=1 cargo test --workspace --lib schema");
}
