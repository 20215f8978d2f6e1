/** Whether a contact is the address of a page, and not an e-mail address. */
export const isWebAddress = (contact: string): boolean => /^https?:/i.test(contact);
