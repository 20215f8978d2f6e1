/** "12 tours" */
export const toursInWords = (count: number) =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? "tour" : "tours"}`;
