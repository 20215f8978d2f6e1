/** The sign of a site without a logo, as in public/favicon.svg; without a `colour` it has that of the page. */
export const Sign = ({ colour, ...more }: { colour?: string; xmlns?: string }) => (
  <svg viewBox="0 0 32 32" aria-hidden="true" {...more}>
    <rect width="32" height="32" rx="8" fill={colour} />
    <path
      d="m16 6 3 6.6 7.2.8-5.4 4.9 1.5 7.1L16 21.8l-6.3 3.6 1.5-7.1-5.4-4.9 7.2-.8z"
      fill="#f6c453"
    />
  </svg>
);
