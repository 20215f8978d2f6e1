import { afterEach, vi } from "vitest";
import "./setup";

// Files share a worker, and so its time, which some tests set.
afterEach(() => void vi.useRealTimers());
