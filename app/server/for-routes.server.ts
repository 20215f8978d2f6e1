// The browser's copy of a route has an empty module of 130 bytes for each of the server's that it names, to be fetched by
// itself: routes of the most visited pages name this one.

export { countWrite } from "~/accounts/caller.server";
export { SuspendedError } from "~/accounts/users.server";
export { env } from "~/config/env.server";
export { countToursToReview, nextTourToReview } from "~/me/my-reviews.server";
export { countWaitingCases } from "~/moderation/cases.server";
export { findSuspensionPath } from "~/moderation/sanctions/sanction-page.server";
export { findSameReview } from "~/reviews/own-review.server";
export { postReview } from "~/reviews/post.server";
export { usualDays } from "~/tours/search/asked-days.server";
export { readLimits } from "~/tours/search/asked-limits.server";
export { nothingFound, onOtherDays, withoutLimits } from "~/tours/search/nothing-found.server";
export { searchTours } from "~/tours/search/search.server";
export { thanksFor } from "~/tours/thanks.server";
export { getTourBySlug, getTourPage, leadsTours } from "~/tours/tours.server";
export { ownPicture, publicMeta } from "~/ui/meta.server";
export * from "./after-log-in.server";
export { cacheable } from "./cached-pages.server";
export * from "./carried-review.server";
export * from "./current-user.server";
export * from "./form-data.server";
export * from "./single-sign-on.server";
export * from "./pages.server";
export * from "./redirects.server";
export * from "./retry-after.server";
export * from "./review-form.server";
export * from "./session.server";
