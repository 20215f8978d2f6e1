import { followMore } from "~/tours/more-reviews";
import { openPictures } from "~/tours/picture-viewer";
import { findReviewOnOtherPage } from "~/tours/review-on-other-page";
import { copyExamples } from "~/ui/browser/copied-examples";
import { keepFocus } from "~/ui/browser/kept-focus";
import { closeMenus } from "~/ui/browser/menus";
import { followLinks } from "~/ui/browser/followed-links";
import { COPIED, shareAddress } from "~/ui/browser/share";
import { checkWhenShownAgain } from "~/ui/browser/shown-again";

// The script of the pages that are sent without React (docs/decisions/007-pages-without-javascript.md). They work without
// it.

async function leadElsewhere(): Promise<void> {
  const address = await findReviewOnOtherPage(location.hash);
  if (address) location.replace(address);
}

checkWhenShownAgain();
keepFocus();
closeMenus();
copyExamples();
followMore();
followLinks("picture", openPictures);
followLinks("share", async (link) => {
  const said = link.nextElementSibling;
  if ((await shareAddress(link.href)) && said) said.textContent = COPIED;
});
void leadElsewhere();
addEventListener("hashchange", () => void leadElsewhere());
// For who must know that the scripts answer now, as tests do.
document.documentElement.dataset.ready = "";
