import { Picture } from "~/ui/picture";

/** A tour's picture over a drawing that tells what it is about (docs/rules/tours.md, Tours). */
export function Cover({ tour }: { tour: { cover: string; image: string | null } }) {
  return (
    <span className="cover">
      <img src={`/covers/${tour.cover}.svg`} alt="" width={320} height={180} decoding="async" />
      <Picture address={tour.image} width={640} height={360} />
    </span>
  );
}
