import { robots } from "~/http/machine-files.server";

export const loader = () => robots();
