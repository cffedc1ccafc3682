import assert from "node:assert/strict";
import {
  changedTerms,
  highestRight,
  linkRight,
  type LinkSettings,
  memberKeys,
  rightTo,
  type Share,
  type ShareTerms,
  termsOf,
} from "../../../../../lib/server/features/links/shares/share.ts";
import { assertLinkMayGive } from "../../../../../lib/server/features/links/shares/visit.ts";
import {
  lesserRight,
  type RecipientRight,
  recipientRights,
} from "../../../../../lib/shared/schemas/choices/choices.ts";

const blank = termsOf({});
const bea = { id: 2, groups: [] };
const stranger = { id: 3, groups: [] };
const owner = { id: 1, groups: [] };
const named = { users: [bea.id], groups: [] };

function shareWith(terms: ShareTerms): Share {
  return { hash: "h", userId: owner.id, path: "/a", place: "/a", terms } as unknown as Share;
}

const made = (change: Partial<ShareTerms>) => changedTerms(blank, change, 0);
const free = { maxLinkRight: "edit" } as const;
const rightOf = (terms: ShareTerms, user: typeof bea | null, settings: LinkSettings = free) =>
  rightTo(shareWith(terms), user, settings);
const highestIn = (terms: ShareTerms, settings: LinkSettings = free) =>
  highestRight({ terms }, settings);

Deno.test("a link gives strangers what its owner has chosen, and a download at first", () => {
  assert.equal(rightOf(blank, null), "download");
  for (const anyoneMay of recipientRights) {
    for (const terms of [made({ anyoneMay }), made({ audience: named, anyone: true, anyoneMay })]) {
      assert.equal(rightOf(terms, null), anyoneMay);
      assert.equal(rightOf(terms, stranger), anyoneMay);
      assert.equal(termsOf({ terms }).anyoneMay ?? "download", anyoneMay);
      assert.ok(memberKeys({ terms }).includes("link"));
    }
  }
});

Deno.test("a link gives nothing where only some may open the share", () => {
  const closed = made({ audience: named, anyoneMay: "edit" });
  assert.equal(rightOf(closed, null), null);
  assert.equal(rightOf(closed, bea), "download");
  assert.equal(highestIn(closed), "download");
  assert.equal(termsOf({ terms: closed }).anyoneMay, undefined);
});

Deno.test("who is named has at least the right of the link; view only limits all", () => {
  const rights = { "user 2": "edit" as const };
  const less = made({ audience: { ...named, rights }, anyone: true, anyoneMay: "view" });
  assert.deepEqual([rightOf(less, bea), rightOf(less, null)], ["edit", "view"]);
  const more = made({ audience: named, anyone: true, anyoneMay: "edit" });
  assert.deepEqual([rightOf(more, bea), rightOf(more, owner)], ["edit", "edit"]);
  assert.equal(rightOf(less, owner), "download");
  const shown = made({ anyoneMay: "edit", viewOnly: true });
  assert.deepEqual([rightOf(shown, null), highestIn(shown)], ["view", "view"]);
});

Deno.test("the highest right counts what the link gives", () => {
  for (const anyoneMay of recipientRights) {
    assert.equal(highestIn(made({ anyoneMay })), anyoneMay);
  }
  const both = made({ audience: named, anyone: true, anyoneMay: "view" });
  assert.equal(highestIn(both), "download", "of the one who is named");
});

Deno.test("the server's most bounds what the link gives, and nobody's own right", () => {
  const rights = { "user 2": "edit" as const };
  for (const maxLinkRight of recipientRights) {
    for (const anyoneMay of recipientRights) {
      const open = made({ anyoneMay });
      const given = lesserRight(anyoneMay, maxLinkRight);
      for (const user of [null, stranger]) {
        assert.equal(rightOf(open, user, { maxLinkRight }), given);
      }
      assert.equal(highestIn(open, { maxLinkRight }), given);
      assert.equal(rightOf(open, null), anyoneMay, "it comes back");
      const both = made({ audience: { ...named, rights }, anyone: true, anyoneMay });
      assert.equal(rightOf(both, bea, { maxLinkRight }), "edit");
      assert.equal(highestIn(both, { maxLinkRight }), "edit");
    }
    assert.equal(rightOf(blank, owner, { maxLinkRight: "view" }), "download");
  }
});

Deno.test("no link is made to give more than the server's most; one that does is kept", () => {
  for (const maxLinkRight of recipientRights) {
    for (const anyoneMay of recipientRights) {
      const next = { terms: made({ anyoneMay }) };
      const isRefused = recipientRights.indexOf(anyoneMay) > recipientRights.indexOf(maxLinkRight);
      for (const before of [null, ...recipientRights.map((may) => made({ anyoneMay: may }))]) {
        const former = before === null ? "download" : linkRight({ terms: before }) ?? "download";
        const isMore = recipientRights.indexOf(anyoneMay) > recipientRights.indexOf(former);
        const give = () => assertLinkMayGive(next, before && { terms: before }, { maxLinkRight });
        if (isRefused && isMore) assert.throws(give, { code: "forbidden", message: /at most$/ });
        else give();
      }
    }
  }
  const closed = { terms: made({ audience: named, anyoneMay: "edit" }) };
  assertLinkMayGive(closed, null, { maxLinkRight: "view" });
  const shown = { terms: made({ anyoneMay: "edit", viewOnly: true }) };
  assertLinkMayGive(shown, null, { maxLinkRight: "view" });
  const seen = { terms: made({ anyoneMay: "edit" }) };
  assert.throws(() => assertLinkMayGive(seen, shown, { maxLinkRight: "upload" }));
});

Deno.test("a change of something else keeps the right; one of whom it is for keeps no larger one", () => {
  for (const anyoneMay of recipientRights) {
    const terms = made({ anyoneMay });
    assert.equal(rightOf(changedTerms(termsOf({ terms }), { notify: true }), null), anyoneMay);
    const again = changedTerms(termsOf({ terms }), { audience: null, anyone: true });
    assert.equal(rightOf(again, null), anyoneMay === "view" ? "view" : "download");
    const closed = changedTerms(termsOf({ terms }), { audience: named });
    assert.equal(rightOf(closed, null), null);
    const open = changedTerms(termsOf({ terms: closed }), { anyone: true });
    assert.equal(rightOf(open, null), "download", "it does not come back");
  }
});

/** What the version before this right has made of terms. */
function formerTermsOf({ anyone, anyoneIn, ...closed }: ShareTerms): ShareTerms {
  return anyone && anyoneIn === closed.edition ? { ...closed, anyone, anyoneIn } : closed;
}

/** The right of a stranger in that version. */
function formerRight(stored: ShareTerms): RecipientRight | null {
  const { audience, anyone, viewOnly } = formerTermsOf(stored);
  return audience && !anyone ? null : viewOnly ? "view" : "download";
}

/** A change by that version. */
function formerChange(stored: ShareTerms, change: Partial<ShareTerms>): ShareTerms {
  const before = formerTermsOf(stored);
  const edition = before.edition + 1;
  const { anyone: _, anyoneIn: __, ...after } = { ...before, ...change, edition };
  const anyone = change.anyone ?? (change.audience === undefined && before.anyone);
  return after.audience && anyone ? { ...after, anyone, anyoneIn: edition } : after;
}

Deno.test("an earlier version gives no stranger more, and nothing comes back of what it has changed", () => {
  const ranks = [null, ...recipientRights];
  const changes: Partial<ShareTerms>[] = [
    { notify: true },
    { anyone: true },
    { anyone: false },
    { audience: null },
    { audience: named },
    { audience: named, anyone: true },
  ];
  for (const anyoneMay of recipientRights) {
    for (const to of [{}, { audience: named }, { audience: named, anyone: true }]) {
      const stored = made({ ...to, anyoneMay });
      const now = rightOf(stored, null);
      assert.ok(ranks.indexOf(formerRight(stored)) <= ranks.indexOf(now), `${anyoneMay} ${now}`);
      for (const change of changes) {
        const changed = formerChange(stored, change);
        assert.equal(rightOf(changed, null), formerRight(changed), JSON.stringify(change));
      }
    }
  }
});
