export const OWN_TOUR = "You cannot review your own tour";

export const ALREADY_REVIEWED = "You have already reviewed this tour";

export const CHANGED_MEANWHILE = "The review was changed meanwhile";

export const NOT_COMPLETED =
  "You can only review tours that you have completed. The guide marks a tour as completed after it took place; otherwise that happens automatically 24 hours after the tour date.";
