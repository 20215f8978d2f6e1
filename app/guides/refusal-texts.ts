export const guideTexts = {
  guideNotFound: "Guide not found",
  departureNotFound: "Departure not found",
  platformCompletes: "The platform marks departures as completed",
  completeNotOwn: "You can only complete departures of your own tours",
  notBegun: "This departure has not begun yet",
  undoNotOwn: "You can only undo what you have done",
  nothingToUndo: "There is nothing to undo",
  undoLate: "This can only be undone within ten minutes",
  objectionLate: "You could say so within 30 days only",
  bookingChanged: "Your booking was changed meanwhile",
} as const;
