import { accepted, everybody, type Access } from "../support/access";
import type { Scene } from "../support/world";

const address = ({ absence }: Scene) => `/absences/${absence}`;

export default {
  address,
  readers: "anybody",
  pages: { "were you there": {} },
  changes: {
    POST: {
      fields: ({ absenceId }) => ({ absence: absenceId }),
      ...everybody(accepted(302, address)),
    },
  },
} satisfies Access;
