import { Globe, type IconNode, LockKeyhole } from "lucide";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { SelectField } from "../../../../components/Fields.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import type { Failure } from "../../../shared/result.ts";
import {
  includesRight,
  lesserRight,
  type RecipientRight,
  recipientRights,
} from "../../../shared/schemas/choices/choices.ts";
import type { Recipient, ShareInfo } from "../../../shared/schemas/share.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { usePage } from "../../base/core/page.ts";
import type { Fields } from "../../base/ui/use_form.ts";
import { RecipientsField, useRights, withNames } from "./RecipientsField.tsx";
import type { ShareTerms } from "./share_api.ts";

/** Who may open a share besides those who are named. */
type GeneralAccess = "named" | "anyone";

const glyphs: Record<GeneralAccess, IconNode> = { named: LockKeyhole, anyone: Globe };

/** Whom a share is for, in a form. */
export interface AccessValues {
  recipients: readonly Recipient[];
  /** A name that is typed and not in the list yet. */
  typed: string;
  /** Null before the user has chosen: anyone, until somebody is named. */
  general: GeneralAccess | null;
  /** The right of anyone with the link. */
  anyoneMay: RecipientRight;
}

/** Whom a share is for. */
export function accessValues(
  { audience, anyone, anyoneMay = "download" }: ShareInfo,
): AccessValues {
  const general = audience && !anyone ? "named" : "anyone";
  return { recipients: audience ?? [], typed: "", general, anyoneMay };
}

/** Whom a new share is for. @param most that links may give to anyone */
export function newAccess(most: RecipientRight): AccessValues {
  const anyoneMay = lesserRight("download", most);
  return { recipients: [], typed: "", general: null, anyoneMay };
}

/** The most that the server lets links give to anyone. */
export function useMaxLinkRight(): RecipientRight {
  return usePage().data.config.MaxLinkRight ?? "edit";
}

/** Those who are named, the one who is typed at the moment included. */
export function namedIn({ recipients, typed }: AccessValues): readonly Recipient[] {
  return withNames(recipients, typed);
}

/** Who may open the share besides. */
function generalIn(values: AccessValues): GeneralAccess {
  return values.general ?? (namedIn(values).length > 0 ? "named" : "anyone");
}

/**
 * Whom a share is for, as calls take it; nothing when that has not changed, as those whom it was for
 * may be gone. Without anybody named it opens for anyone, or for nobody.
 *
 * @param saved as it was
 */
export function accessOf(
  values: AccessValues,
  saved: AccessValues,
): Pick<ShareTerms, "audience" | "anyone" | "anyoneMay"> {
  const named = namedIn(values);
  const general = generalIn(values);
  const isSame = JSON.stringify(named) === JSON.stringify(saved.recipients) &&
    general === generalIn(saved);
  const isOpen = general === "anyone";
  const may = isOpen ? { anyoneMay: values.anyoneMay } : {};
  const isNew = saved.general === null;
  if (isSame) return isOpen && (isNew || values.anyoneMay !== saved.anyoneMay) ? may : {};
  return { audience: named.length > 0 || !isOpen ? [...named] : null, anyone: isOpen, ...may };
}

/** The faults of a new form, as the member `access`: only those who are named, and nobody is. */
export function accessFaults(values: AccessValues) {
  const isForNobody = values.general === "named" && namedIn(values).length === 0;
  return isForNobody ? { "access.recipients": "" } : {};
}

/** The error message of a form with these fields, as the member `access`. */
export function accessReason(t: TFunction, why: Failure): string {
  const most = /^Cannot give anyone with the link .* allows "(\w+)" at most$/.exec(why.message)
    ?.[1];
  const right = recipientRights.find((each) => each === most);
  if (right) return t("links.general.most", { right: t(`links.rights.${right}`) });
  if (why.code !== "invalid_body") return reasonOf(t, why);
  const name = /^Cannot share with "(.*)": there is no such user or group$/s.exec(why.message)?.[1];
  return name === undefined ? reasonOf(t, why) : t("links.unknownName", { name });
}

interface AccessFieldsProps {
  form: Fields<AccessValues>;
  /** The share leads to a folder, into which files can be put. */
  isFolder: boolean;
  viewOnly: boolean;
}

/** Fields for the people and groups of a share. */
export function PeopleField({ form, isFolder, viewOnly }: AccessFieldsProps) {
  return (
    <RecipientsField
      {...form.field("recipients", "share-audience")}
      typed={form.values.typed}
      isFolder={isFolder}
      viewOnly={viewOnly}
      onChange={(recipients, typed) => form.change({ recipients, typed })}
    />
  );
}

/** The keys of what anyone with the link can do, and of the warning about it. */
const hintKeys = {
  view: "links.general.viewHint",
  download: "links.general.anyoneHint",
  upload: "links.general.uploadHint",
  edit: "links.general.editHint",
} as const;
const warningKeys = {
  view: null,
  download: null,
  upload: "links.general.uploadWarning",
  edit: "links.general.editWarning",
} as const;

/** Fields for who may open a share besides, and what they may do. */
export function GeneralAccessField({ form, isFolder, viewOnly }: AccessFieldsProps) {
  const { t } = useTranslation();
  const { values } = form;
  const general = generalIn(values);
  const isAnyNamed = namedIn(values).length > 0;
  const most = useMaxLinkRight();
  const rights = useRights(isFolder)([values.anyoneMay])
    .filter((right) => right === values.anyoneMay || includesRight(most, right));
  const given = viewOnly ? "view" : lesserRight(values.anyoneMay, most);
  const warning = warningKeys[given];
  const hint = hintKeys[given];
  const bound = most === "edit"
    ? undefined
    : t(given === values.anyoneMay ? "links.general.most" : "links.general.mostNow", {
      right: t(`links.rights.${most}`),
    });
  const hints = { named: t("links.general.namedHint"), anyone: t(hint) };
  const choice = (
    <fieldset className="access">
      <legend>{t("links.general.title")}</legend>
      {(["named", "anyone"] as const).map((each) => (
        <label key={each} className="access__choice">
          <input
            type="radio"
            className="unseen"
            name="general-access"
            checked={general === each}
            // Nobody could open what is for nobody; a share whose people are gone stays so.
            disabled={each === "named" && !isAnyNamed && general !== each}
            onChange={() => form.change({ general: each })}
          />
          <Icon glyph={glyphs[each]} />
          <span className="access__words">
            {t(`links.general.${each}`)}
            <small>{hints[each]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
  return (
    <>
      {choice}
      {general === "anyone" && !viewOnly && (
        <SelectField
          name="share-anyone-may"
          label={t("links.general.may")}
          hint={[bound, warning && t(warning)].filter(Boolean).join(" ") || undefined}
          value={values.anyoneMay}
          options={rights.map((right) => [right, t(`links.rights.${right}`)] as const)}
          onChange={(anyoneMay) => form.change({ anyoneMay })}
        />
      )}
    </>
  );
}
