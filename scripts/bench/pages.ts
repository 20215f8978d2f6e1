import { median } from "./arithmetic";
import { asked, throughput, timesOf } from "./load";
import { type Program, startRender } from "./programs";
import { embedded, nextVersion } from "./reading";
import type { Bench, Row } from "./row";
import type { SeededTour } from "./seed";

/** Pages of the app, beside its own log-in page, which makes no query, and beside React alone. */
export function pageRows(bench: Bench): Row[] {
  const { app, seeded, ms } = bench;
  const timeOf = (path: string, cookie?: string) => async () => {
    const options = cookie ? { headers: { cookie } } : {};
    return median(await timesOf(async () => (await asked(app.url + path, options)).ms, { ms }));
  };
  const tourPage = ({ slug }: SeededTour) => `/tours/${slug}`;
  const afterChange = (tour: SeededTour) => async () => {
    const once = async () => {
      await change(bench, tour);
      return (await asked(app.url + tourPage(tour))).ms;
    };
    return median(await timesOf(once, { ms }));
  };

  // After a start, the embedded database reads all reviews of a tour once; from then on the app knows where the
  // newest are.
  const visited = (tour: SeededTour): Pick<Row, "prepare" | "note"> => {
    let first = 0;
    return {
      prepare: async () => void (first = (await asked(app.url + tourPage(tour))).ms),
      note: () => `The very first visit after the start took ${first.toFixed(0)} ms.`,
    };
  };

  const rows: Row[] = [
    {
      ...visited(seeded.large),
      id: "page",
      what: "page of a tour of 5,000 reviews after a change, of one of 20",
      unit: "ms",
      programs: { "of 5,000": afterChange(seeded.large), "of 20": timeOf(tourPage(seeded.page)) },
      figures: [
        {
          ...{ what: "of 5,000 after a change / of 20", of: "of 5,000", to: "of 20" },
          ...embedded(bench, { max: 8 }),
        },
      ],
    },
    {
      id: "home",
      what: "pages with 3,000 tours, a guide's with 500",
      unit: "ms",
      programs: {
        "log-in": timeOf("/login"),
        "/": timeOf("/"),
        "by reviews": timeOf("/?sort=reviewed"),
        search: timeOf("/?q=harbour+lisbon"),
        "/guide": timeOf("/guide", seeded.guide.cookie),
      },
      figures: [
        { what: "/ / log-in", of: "/", to: "log-in", ...embedded(bench, { max: 3 }) },
        {
          ...{ what: "/?sort=reviewed / log-in", of: "by reviews", to: "log-in" },
          ...embedded(bench, { max: 3 }),
        },
        { what: "search / log-in", of: "search", to: "log-in", ...embedded(bench, { max: 6 }) },
        { what: "/guide / log-in", of: "/guide", to: "log-in", ...embedded(bench, { max: 6 }) },
      ],
    },
    renderRow(bench),
  ];
  const { huge } = seeded;
  if (huge)
    rows.splice(1, 0, {
      ...visited(huge),
      id: "page",
      what: "page of a tour of 50,000 reviews after a change, of one of 20",
      unit: "ms",
      programs: { "of 50,000": afterChange(huge), "of 20": timeOf(tourPage(seeded.page)) },
      figures: [
        {
          ...{ what: "of 50,000 after a change / of 20", of: "of 50,000", to: "of 20" },
          bound: { max: 20 },
        },
      ],
    });
  return rows;

  function renderRow({ uri }: Bench): Row {
    const page = tourPage(seeded.page);
    let render: Program;
    return {
      id: "render",
      what: "page of 20 reviews, and renderToString of the same tree",
      unit: "a second",
      async prepare() {
        render = await startRender(uri, app.url + page);
        const [ours, theirs] = await Promise.all([asked(app.url + page), asked(render.url + page)]);
        if (contentOf(ours.body) !== contentOf(theirs.body))
          throw new Error("renderToString does not render what the page shows");
      },
      programs: {
        app: () => throughput(app.url + page, { ms }),
        renderToString: () => throughput(render.url + page, { ms }),
      },
      figures: [
        { what: "app / renderToString", of: "app", to: "renderToString", bound: { min: 0.35 } },
      ],
      done: () => render?.stop(),
    };
  }
}

/** Edits the newest review of a tour as the API would. */
async function change(bench: Bench, tour: SeededTour): Promise<void> {
  const reviews = bench.connection.collection("reviews");
  const newest = await findNewestReview(bench, tour);
  await reviews.updateOne({ _id: newest }, { $set: { editedAt: new Date() } });
  await nextVersion(bench, tour);
}

const newest = new Map<string, unknown>();

/**
 * The id of a tour's newest review, looked up only once, because the embedded database reads the whole tour for it.
 */
async function findNewestReview({ connection }: Bench, tour: SeededTour) {
  const key = tour.id.toString();
  if (!newest.has(key)) {
    const found = await connection
      .collection("reviews")
      .findOne({ tourId: tour.id }, { sort: { createdAt: -1, _id: -1 }, projection: { _id: 1 } });
    newest.set(key, found!._id);
  }
  return newest.get(key) as never;
}

/** What a page shows: its HTML without scripts, nonces, and React's own comments. */
const contentOf = (html: Buffer) =>
  html
    .toString()
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replace(/<!--.*?-->/g, "")
    .replace(/ nonce="[^"]*"/g, "")
    .replace(/<template[^>]*><\/template>/g, "");
