import { act } from "../api/act";
import { MarkMailDocument, type MailRowFragment } from "../gql/graphql";
import { openPane } from "../panes/panes";
import { useWords } from "../words/words";
import { Icon } from "./icons";
import { Row, type RowDeeds } from "./rows";

export function archive(mail: { id: string }): void {
  void act({ document: MarkMailDocument, input: { ids: [mail.id], archived: true }, patch: { id: mail.id, patch: { gone: true } } });
}

export function MailRow({ mail, snippet = false }: { mail: MailRowFragment; snippet?: boolean }) {
  const w = useWords();
  const thread = mail.threadId ?? mail.id;
  const deeds: RowDeeds = {
    open: () => openPane({ kind: "mail", id: thread }),
    archive: () => archive(mail),
    reply: () => openPane({ kind: "mail", id: thread, reply: true }),
  };
  const sender = mail.from?.name || mail.from?.email || "";
  return (
    <Row deeds={deeds} className={mail.unread ? "row row--mail row--unread" : "row row--mail"}>
      <span className="row__mark">
        <Icon name="mail" />
      </span>
      <button type="button" className="row__main" data-open="" onClick={deeds.open}>
        <span className="row__title" dir="auto">
          {mail.subject}
        </span>
        <span className="row__meta">
          <bdi>{sender}</bdi>
          <span>{mail.dateFormatted}</span>
        </span>
        {snippet && (
          <span className="row__snippet" dir="auto">
            {mail.snippet}
          </span>
        )}
      </button>
      <span className="row__tools">
        <button type="button" className="round" aria-label={`${w.archive}: ${mail.subject}`} onClick={deeds.archive}>
          <Icon name="archive" />
        </button>
      </span>
    </Row>
  );
}
