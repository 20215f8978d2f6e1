// Settings of the code under test in the test's own process. Nothing is sent outside.
process.env.APP_URL = "http://localhost:3000";
process.env.SESSION_SECRET = "a secret for tests only, thirty-two characters";
process.env.BOOKING_COMPLETION = "automatic";
process.env.REVIEW_REQUESTS = "off";
process.env.LOG_LEVEL ??= "silent";
delete process.env.SENDGRID_API_KEY;
