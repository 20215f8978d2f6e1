import { afterEach, expect, test, vi } from "vitest";
import { progressBar } from "../../scripts/lib/progress";

afterEach(() => void vi.restoreAllMocks());

test("without a terminal a line a minute says how far it is", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.spyOn(process, "stderr", "get").mockReturnValue({
    isTTY: false,
    write: (line: string) => lines.push(line),
  } as never);
  const lines: string[] = [];
  const progress = progressBar("Import");
  progress(1, 20_000);
  vi.advanceTimersByTime(59_000);
  progress(9_000, 20_000);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(1_000);
  progress(10_000, 20_000);
  progress(10_001, 20_000);
  vi.advanceTimersByTime(60_000);
  progress(20_000, 20_000);
  expect(lines).toEqual(["Import: 10,000 of 20,000\n", "Import: 20,000 of 20,000\n"]);
});
