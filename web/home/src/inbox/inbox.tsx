import { useState } from "react";

import { useReading } from "../api/cache";
import { InboxDocument } from "../gql/graphql";
import { MailRow } from "../parts/mails";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

export default function Inbox() {
  const w = useWords();
  const [pages, setPages] = useState<string[]>([""]);
  return (
    <div className="narrow">
      <h1>{w.inbox}</h1>
      <section className="card" aria-label={w.inbox}>
        {pages.map((after, index) => (
          <Page key={after} after={after} {...(index === pages.length - 1 && { onMore: (next: string) => setPages([...pages, next]) })} />
        ))}
      </section>
    </div>
  );
}

function Page({ after, onMore }: { after: string; onMore?: (after: string) => void }) {
  const w = useWords();
  const { data, failure, again } = useReading(InboxDocument, { after: after || null });
  const page = data?.emails;
  if (failure && !page) return <Trouble failure={failure} again={again} />;
  if (!page) return <Waiting rows={8} />;
  if (page.nodes.length === 0 && after === "") return <p className="empty">{w.inboxEmpty}</p>;
  return (
    <>
      <ul className="rows">
        {page.nodes.map((mail) => (
          <MailRow key={mail.id} mail={mail} snippet />
        ))}
      </ul>
      {onMore && page.pageInfo.hasNextPage && (
        <button type="button" className="button" onClick={() => onMore(page.pageInfo.endCursor ?? "")}>
          {w.showMore}
        </button>
      )}
    </>
  );
}
