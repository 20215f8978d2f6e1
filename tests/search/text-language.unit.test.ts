import { expect, test } from "vitest";
import { languageDetector } from "~/search/text-language.server";

test.each([
  ["Wonderful guide, we learned so much about the old harbour.", "en"],
  ["Tolle Führung, sehr zu empfehlen!", "de"],
  ["Très belle visite, guide passionnant.", "fr"],
  ["とても楽しかったです", "ja"],
  ["رحلة رائعة", "ar"],
  ["👍👍", null],
  ["OK", null],
])("%s is in %s", async (text, language) => {
  expect((await languageDetector())(text)).toBe(language);
});

test("a long text says its language at its beginning", async () => {
  expect((await languageDetector())("Wir hatten eine tolle Zeit. ".repeat(200))).toBe("de");
});
