/** Whether a contact is the address of a page, and not an e-mail address. */
export const isWebAddress = (contact: string): boolean => /^https?:/i.test(contact);

export const BY_PEOPLE = "A person decided this, not software.";
export const COURTS =
  "You can also go to court where you live, or within the European Union to a certified body for out-of-court disputes.";
