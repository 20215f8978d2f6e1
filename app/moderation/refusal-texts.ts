import { GROUND_TEXTS } from "~/ui/grounds";

export const moderationTexts = {
  noOperator: "You are no longer an operator.",
  noCase: "There is no such case.",
  noSanction: "There is no such warning or suspension.",
  ownCase: "You cannot decide about your own review, reply, tour or report.",
  ownAccount: "You cannot decide about your own account.",
  ownDecision: "Another operator decides about an appeal against your decision.",
  changedMeanwhile:
    "Something has changed since you opened this case. Look at it again before you decide.",
  caseDecided: "This case was decided, and nobody has appealed.",
  outcomeDecided: "It was decided whether this stands.",
  accountDeleted: "The account has been deleted.",
  cannotReturn: {
    deleted: "It cannot come back: its author has deleted it.",
    replaced: "It cannot come back: something newer has taken its place.",
  },

  orderMissing: "Enter the authority and the file number of its order.",
  notPossible: "That is not possible with what there is now.",
  groundMissing: "Choose the ground on which it is taken down.",
  groundAllowed: `Choose “${GROUND_TEXTS.allowed.label}” for what is shown.`,

  undecided: "Decide about the case first.",
  nothingStands: {
    account: "Nothing that they wrote is taken down by a decision that stands.",
    reports: "Everything that they reported, and we decided about, is taken down.",
  },
  suspended: "There is a suspension, which has not ended yet.",
  unknownReporter:
    "Nobody knows who reported it: they gave no address, or have not opened its e-mail.",
  daysMissing: "Choose for how long.",
  warnFirst: "Warn first: a suspension follows only a warning.",
  nobodyAppealed: "Nobody has appealed: it stands.",

  nothingToReport:
    "There is no such review or reply. Copy the address of its page: it ends with /reviews/ and 24 letters and digits.",
  alreadyDecided:
    "We have already decided about this text for that reason. You can report it for another reason, or again once it has changed.",
  noReports: (until: string) =>
    `We do not accept your reports until ${until}. Our e-mail about it says why, and how you can appeal.`,

  appealLate: "You can no longer appeal against this decision.",
  tooManyAppeals:
    "So many others have appealed in this case that no more appeals are taken. The decision about theirs counts for you, too.",
  nothingLeft: "There is nothing left to delete.",
  sureMissing: (removed: string) => `Tick this if you want to delete your ${removed}.`,
  notSuspended: "Log in to do that: your account is not suspended.",
} as const;
