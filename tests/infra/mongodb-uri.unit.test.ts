import { describe, expect, test } from "vitest";
import { EnvError, parseEnv } from "~/infra/env.server";
import { databaseNameOf, isMongodbUri } from "~/infra/mongodb-uri";

describe("a URI of MongoDB", () => {
  test.each([
    "localhost:27017",
    "http://localhost",
    "mongodb://",
    "mongodb:///platform",
    "mongodb://user:pass/word@h",
    "mongodb://user:100%@h",
    "mongodb://h/100%",
    "mongodb+srv://a,b",
    "mongodb+srv://cluster0.example.net:27017",
  ])("may not be %s", (text) => {
    expect(isMongodbUri(text)).toBe(false);
  });
});

test("one that cannot be parsed is refused without being shown", () => {
  const refusal = () => parseEnv({ MONGODB_URI: "mongodb://ann/e:sesame/open@h/platform" });
  expect(refusal).toThrow(EnvError);
  expect(refusal).toThrow(/^MONGODB_URI cannot be parsed: (?!.*(ann|sesame|platform)).+$/);
});

describe("the name of the database", () => {
  test.each([
    ["mongodb://h", ""],
    ["mongodb://h/", ""],
    ["mongodb://a,b?replicaSet=rs0", ""],
    ["mongodb://a:27017,b/platform?replicaSet=rs0", "platform"],
    ["mongodb://user:p%40ss@h/platform", "platform"],
    ["mongodb://h/my%20tours", "my tours"],
    ["mongodb+srv://cluster0.example.net/platform", "platform"],
  ])("of %s is %j", (uri, name) => {
    expect(databaseNameOf(uri)).toBe(name);
  });
});
