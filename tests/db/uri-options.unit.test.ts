import { expect, it } from "vitest";
import { takenUri } from "~/db/uri-options.server";

it.each([
  [
    "replicaSet=rs0&readPreference=secondaryPreferred&maxStalenessSeconds=120&readPreferenceTags=dc:ny",
    "replicaSet=rs0",
    ["readPreference", "maxStalenessSeconds", "readPreferenceTags"],
  ],
  ["minPoolSize=60&maxPoolSize=100&tls=true", "tls=true", ["minPoolSize", "maxPoolSize"]],
  ["minPoolSize=5&uuidRepresentation=standard", "minPoolSize=5", ["uuidRepresentation"]],
  [
    "slaveOk=true&waitQueueMultiple=5&retryWrites=true",
    "retryWrites=true",
    ["slaveOk", "waitQueueMultiple"],
  ],
  // A write that is acknowledged is never lost.
  ["w=1&journal=false&wtimeoutMS=100&authSource=a", "authSource=a", ["w", "journal", "wtimeoutMS"]],
])("of %s it takes %s", (given, taken, left) => {
  for (const start of ["mongodb://u:p%40@a,b:1/platform?", "mongodb+srv://h.example.net/?"])
    expect(takenUri(start + given)).toEqual({ uri: start + taken, left });
});

it.each([
  "mongodb://h/platform",
  "mongodb+srv://h.example.net/?retryWrites=true&w=majority&readPreference=primary&journal=true",
  // The driver says what is wrong with it.
  "mongodb://h/?minPoolSize=abc",
])("leaves %s as it is", (uri) => {
  expect(takenUri(uri)).toEqual({ uri, left: [] });
});
