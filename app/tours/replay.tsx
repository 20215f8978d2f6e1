import { useEffect, useRef, useState } from "react";
import { addToCounts, countAndMean } from "~/reviews/figures";
import type { PublicChange } from "~/reviews/record-changes.server";
import { shownMean } from "~/ui/stars";

interface Props {
  tourId: string;
  /** The entry with which the page ends. */
  last: { version: number; hash: string };
}

/** Replays the entries of a tour's rating in the reader's own browser, a page of them at a time. */
export function Replay({ tourId, last }: Props) {
  const [progress, setProgress] = useState<number | null>(null);
  const [result, setResult] = useState("");
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  const startReplay = async () => {
    if (progress !== null) return;
    left.current = new AbortController();
    const { signal } = left.current;
    setResult("");
    setProgress(0);
    const found = await replay(tourId, last, { signal, onProgress: setProgress }).catch(
      () => "We got no answer. Check your connection and try again.",
    );
    if (signal.aborted) return;
    setProgress(null);
    setResult(found);
  };
  const all = last.version.toLocaleString("en-GB");
  return (
    <div className="row only-scripts no-print">
      <button
        type="button"
        className="button button-quiet"
        aria-disabled={progress !== null || undefined}
        onClick={() => void startReplay()}
      >
        {progress === null
          ? `Replay the ${last.version === 1 ? "entry" : `${all} entries`} here`
          : `Replaying … ${progress.toLocaleString("en-GB")} of ${all}`}
      </button>
      <strong role="status">{result}</strong>
    </div>
  );
}

const ENTRIES_AT_ONCE = 100;

interface Options {
  signal: AbortSignal;
  onProgress: (version: number) => void;
}

/** Returns what was found, in words. */
async function replay(tourId: string, last: Props["last"], { signal, onProgress }: Options) {
  // Older pages, and those without HTTPS, cannot hash.
  if (!(crypto as Partial<Crypto>).subtle) return "Your browser can check this over HTTPS only.";
  const counts = new Map<number, number>();
  let version = 0;
  let hash = "0".repeat(64);
  let mean = 0;
  while (version < last.version) {
    const address = `/api/tours/${tourId}/changes?limit=${ENTRIES_AT_ONCE}&after=${version}`;
    const answer = await fetch(address, { signal });
    const { changes } = (await answer.json()) as { changes: PublicChange[] };
    if (changes.length === 0) return `Entry ${version + 1} is missing.`;
    for (const { review: _, ...entry } of changes) {
      if (version === last.version) break;
      if (entry.version !== version + 1) return `Entry ${version + 1} is missing.`;
      if (entry.previous !== hash)
        return `Entry ${entry.version} does not follow entry ${version}.`;
      if (entry.ratings) counts.clear();
      for (const [rating, reviews] of entry.ratings ?? []) addToCounts(counts, rating, reviews);
      addToCounts(counts, entry.before, -1);
      addToCounts(counts, entry.stars, 1);
      const figures = countAndMean(counts);
      if (entry.count !== figures.count || entry.mean !== figures.mean)
        return `Entry ${entry.version} does not lead to its average.`;
      mean = figures.mean;
      version = entry.version;
      hash = await sha256(JSON.stringify(entry));
    }
    onProgress(version);
  }
  if (hash !== last.hash) return `Entry ${version} is not the one that this page shows.`;
  const checked = `${version.toLocaleString("en-GB")} ${version === 1 ? "entry" : "entries"}`;
  return `${checked}, unbroken, ${mean ? shownMean(mean) : "no rating"}`;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
