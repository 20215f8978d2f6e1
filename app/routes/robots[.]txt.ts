import { robots } from "~/server/machine-files.server";

export const loader = () => robots();
