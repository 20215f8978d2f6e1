import { afterEach, vi } from "vitest";
import "./setup";

// Files share a worker, and so its time and its timers, which some tests replace.
afterEach(() => void vi.useRealTimers());
