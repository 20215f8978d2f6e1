import { expect, test } from "vitest";
import { languageDetector } from "~/search/text-language.server";

test.each([
  ["Wonderful guide, we learned so much about the old harbour.", "en"],
  ["The boat was rough and my daughter was seasick.", "en"],
  ["Tolle Führung, sehr zu empfehlen!", "de"],
  ["Très belle visite, guide passionnant.", "fr"],
  ["Bellissimo giro in barca, ci siamo divertiti", "it"],
  ["Muy recomendable", "es"],
  ["とても楽しかったです", "ja"],
  ["رحلة رائعة", "ar"],
  ["👍👍", null],
  ["5/5", null],
  ["OK", null],
])("%s is in %s", async (text, language) => {
  expect((await languageDetector())(text)).toBe(language);
});

test("a long text says its language at its beginning", async () => {
  expect((await languageDetector())("Wir hatten eine tolle Zeit. ".repeat(200))).toBe("de");
});
