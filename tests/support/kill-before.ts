import { writeSync } from "node:fs";
import mongoose from "mongoose";

interface Started {
  commandName: string;
  command: { lsid?: { id: mongoose.mongo.Binary }; startTransaction?: boolean };
}

/** The commands that change something, or make it last. */
const WRITES = ["insert", "update", "delete", "findAndModify", "commitTransaction"];

/**
 * Makes this process kill itself just before the nth command that it sends to the database from now on, or before the
 * nth that writes; until the function that it returns is called. Prints the id of the database session of the first
 * transaction, in hex.
 */
export function killBefore(nth: number, { onlyWrites = false } = {}): () => void {
  let left = nth;
  let announced = false;
  const onCommand = ({ commandName, command }: Started) => {
    if ((!onlyWrites || WRITES.includes(commandName)) && --left === 0)
      process.kill(process.pid, "SIGKILL");
    if (announced || command.lsid === undefined || !command.startTransaction) return;
    writeSync(1, command.lsid.id.toString("hex"));
    announced = true;
  };
  const client = mongoose.connection.getClient();
  client.on("commandStarted", onCommand as never);
  return () => void client.off("commandStarted", onCommand as never);
}
