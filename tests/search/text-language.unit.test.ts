import { expect, test } from "vitest";
import { detectLanguage } from "~/search/text-language.server";

test.each([
  ["Wonderful guide, we learned so much about the old harbour.", "en"],
  ["Tolle Führung, sehr zu empfehlen!", "de"],
  ["Très belle visite, guide passionnant.", "fr"],
  ["كانت الرحلة رائعة والمرشد لطيف جدا", "ar"],
  ["👍👍", null],
  ["OK", null],
])("%s is in %s", async (text, language) => {
  expect(await detectLanguage(text)).toBe(language);
});

test.each([
  "So much fun",
  "Stunning scenery",
  "Super tour",
  "Top Guide, super Tour!",
  "Muy bonito",
  "رحلة رائعة",
  "Отличная экскурсия",
  "很棒",
  // Between Norwegian and Danish, and between English and Italian.
  "Vi hadde en fin tur med Ola",
  "My son ate three anchovies.",
])("%s is too short to say its language, or much like another one", async (text) => {
  expect(await detectLanguage(text)).toBeNull();
});

test.each([
  ["楽しかった", "ja"],
  ["Υπέροχη βόλτα", "el"],
  ["สนุกมาก", "th"],
  ["정말 재미있었어요", "ko"],
  ["סיור מעולה", "he"],
])("%s says it by its script", async (text, language) => {
  expect(await detectLanguage(text)).toBe(language);
});

test.each([
  ["非常好的导游，我们学到了很多关于老港口的知识", "zh"],
  ["非常好的導遊，我們學到了很多關於老港口的知識", "zh-Hant"],
  ["我們玩得很開心，謝謝", "zh-Hant"],
  ["和朋友一起去，天气非常好", "zh"],
])("%s is in %s", async (text, language) => {
  expect(await detectLanguage(text)).toBe(language);
});

test("a long text says its language at its beginning", async () => {
  expect(await detectLanguage("Wir hatten eine tolle Zeit. ".repeat(200))).toBe("de");
});
