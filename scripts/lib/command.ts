import { parseArgs, type ParseArgsConfig } from "node:util";
import { MINUTE_MS } from "~/lib/durations";
import { ExpectedError } from "~/config/expected-error";
import { UsageError } from "./usage-error";

export { ExpectedError, UsageError };

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * A command's options and the words between them; throws `UsageError` with `usage` for an unknown or a repeated one.
 */
export function readArguments<Allowed extends Options>(
  args: string[],
  options: Allowed,
  usage: string,
) {
  try {
    const config = { args, options, allowPositionals: true, tokens: true } as const;
    const { values, positionals: words, tokens } = parseArgs(config);
    const names = tokens.flatMap((token) => (token.kind === "option" ? token.name : []));
    if (new Set(names).size < names.length) throw new UsageError(usage);
    return { values, words };
  } catch {
    throw new UsageError(usage);
  }
}

/** The options of a command without other arguments; throws `UsageError` with `usage` for anything else. */
export function readOptions<Allowed extends Options>(
  args: string[],
  options: Allowed,
  usage: string,
) {
  const { values, words } = readArguments(args, options, usage);
  if (words.length > 0) throw new UsageError(usage);
  return values;
}

/** Throws `UsageError` with the usage of a command without arguments, if it is given any. */
export function noArguments(args: string[], command: string): void {
  readOptions(args, {}, `Usage: ${command}  (takes no arguments)`);
}

/** The only argument of a command that requires a file; throws `UsageError` with `usage` otherwise. */
export function readFileArgument(args: string[], usage: string): string {
  const { words } = readArguments(args, {}, usage);
  const [file] = words;
  if (!file || words.length > 1) throw new UsageError(usage);
  return file;
}

/** An option's whole number from `from` to `to`; throws `UsageError` with one line for any other value. */
export function wholeNumber(option: string, value: string, from: number, to: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= from && number <= to) return number;
  throw new UsageError(`${option} must be a whole number from ${from} to ${to}`);
}

/** Prints a line on standard error: standard output is only for a command's result. */
export const say = (message: string) => void process.stderr.write(`${message}\n`);

/** A duration in the largest unit of which there are at least two. */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
