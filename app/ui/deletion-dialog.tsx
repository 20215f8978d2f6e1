import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { type Deletion, DeletionQuestion } from "./deletion-question";

export function DeletionDialog({ href, onClose }: { href: string; onClose: () => void }) {
  const { load, data, state } = useFetcher<Deletion>();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => load(href), [load, href]);
  useEffect(() => {
    if (data && state === "idle" && !dialog.current?.open) dialog.current?.showModal();
  }, [data, state]);
  if (!data) return null;
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" className="stack" onClose={onClose}>
      <h2 id="delete-title">Delete your review?</h2>
      <DeletionQuestion {...data} onCancel={() => dialog.current?.close()} />
    </dialog>
  );
}
