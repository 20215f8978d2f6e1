/** A line of `/metrics`. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The samples of an answer in the text format of Prometheus. */
export const samplesOf = (text: string): Sample[] =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = "", value]) => ({
    name: name!,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label!, of!]),
    ),
    value: Number(value),
  }));

/** The sum of the samples with that name and these labels; undefined if there is none. */
export function valueOf(
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length > 0 ? found.reduce((sum, { value }) => sum + value, 0) : undefined;
}

/** Requests the metrics on that port; null if nothing answers. */
export async function readMetrics(port: number | string): Promise<Sample[] | null> {
  const answer = await fetch(`http://localhost:${port}/metrics`).catch(() => null);
  return answer && samplesOf(await answer.text());
}
