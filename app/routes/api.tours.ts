import { apiRoute, json } from "~/http/api-route.server";
import { ServiceError } from "~/infra/errors.server";
import { texts } from "~/services/texts";
import { getTourBySlug } from "~/services/tours/tours.server";

export const { loader, action } = apiRoute({
  GET: {
    failure: texts.tourFailed,
    async handle({ url }) {
      const slug = url.searchParams.get("slug");
      if (!slug) throw new ServiceError(400, texts.slugRequired);
      return json({ tour: await getTourBySlug(slug) });
    },
  },
});
