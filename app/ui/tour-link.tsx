import { Link } from "@remix-run/react";
import { tourPath } from "./paths";

export const TourLink = ({ slug, title }: { slug: string | null; title: string }) => (
  <Link to={tourPath(slug)}>
    <bdi>{title}</bdi>
  </Link>
);
