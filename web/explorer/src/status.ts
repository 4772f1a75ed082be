import { observable, type Observable } from "./observable";

/** The last exchange of a tab with the server, for the status line below the answer. */
export type Exchange =
  | { readonly state: "idle" }
  | { readonly state: "waiting" }
  | {
      readonly state: "answered";
      /** HTTP status. */
      readonly status: number;
      readonly milliseconds: number;
      /** Size of the decoded body. */
      readonly bytes: number;
      readonly requestId: string | null;
      readonly graphqlErrors: number;
    }
  | { readonly state: "live"; readonly events: number; readonly lastAt: number | null }
  | { readonly state: "ended"; readonly events: number }
  | { readonly state: "failed"; readonly reason: string };

/** The id of the tab that is seen. */
export const activeTab: Observable<string> = observable("");

/** The last exchange of each tab, by the tab's id. */
export const exchanges: Observable<ReadonlyMap<string, Exchange>> = observable<ReadonlyMap<string, Exchange>>(new Map());

/** Keeps an exchange as the last one of a tab. */
export function report(tab: string, exchange: Exchange): void {
  exchanges.set(new Map(exchanges.get()).set(tab, exchange));
}

/** True after an answer 401 or a refused socket, until a request is let in. */
export const tokenWanted: Observable<boolean> = observable(false);
