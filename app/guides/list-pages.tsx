import type { NumberedPage } from "~/infra/numbered-pages";
import { PageLinks } from "~/ui/page-links";
import { useGuideAddress } from "./guide-address";

/** Links to the other pages of a list; `name` is that of its parameter and the id of its heading. */
export function ListPages({
  name,
  label,
  list,
}: {
  name: string;
  label: string;
  list: NumberedPage<unknown>;
}) {
  const address = useGuideAddress();
  return (
    <PageLinks
      {...list}
      label={label}
      to={(page) => address({ [name]: page === 1 ? null : page }, name)}
    />
  );
}
