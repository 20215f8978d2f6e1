import { afterAll, vi } from "vitest";
import "./setup";

// Files share a worker, and so its clock, which some tests set.
afterAll(() => void vi.useRealTimers());
