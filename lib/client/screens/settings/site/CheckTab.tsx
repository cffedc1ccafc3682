import { CircleAlert, CircleCheck, CircleHelp, type IconNode, Info } from "lucide";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Card } from "../../../../../components/Card.tsx";
import { FormError } from "../../../../../components/Fields.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import type { Clock } from "../../../../shared/clock.ts";
import {
  type CheckFinding,
  type CheckResult,
  maxProbe,
  type ServerCheck,
} from "../../../../shared/schemas/server_check.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { formatBytes, formatRelative, isolated } from "../../../base/core/format.ts";
import { usePage } from "../../../base/core/page.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import { useAccount } from "../account_api.ts";
import { FeatureState } from "./FeatureState.tsx";
import { OfficeTest } from "./OfficeTest.tsx";
import { SiteParts } from "./SiteParts.tsx";

/** What is seen from the browser alone. */
type BrowserFinding =
  | "elsewhere"
  | "secure"
  | "insecure"
  | "clockRight"
  | "clockWrong"
  | "uploadUntested"
  | "uploadPassed"
  | "uploadRefused";

/** A result of the server, or of the browser. */
interface Shown {
  id: CheckResult["id"] | "secure" | "clock" | "upload";
  /** Null while it is not known. */
  state: CheckResult["state"] | null;
  finding: CheckFinding | BrowserFinding | null;
  values: Record<string, string | number>;
}

/** The largest difference of two clocks that passes, in milliseconds: codes count for 30 seconds. */
const maxClockDifferenceMs = 30_000;

/** An option or a command that changes what was found, or the setting to change. */
const ways: Partial<Record<CheckFinding | BrowserFinding, { code?: string; part?: string }>> = {
  localHttp: { code: "--cert FILE --key FILE" },
  plainHttp: { code: "--cert FILE --key FILE" },
  elsewhere: { code: "--trusted-proxies ADDRESS" },
  open: { part: "signin" },
  unrecorded: { part: "activity" },
  old: { code: "cubby backup FILE" },
  none: { code: "cubby backup FILE" },
  memory: { code: "--database FILE" },
  low: { part: "storage" },
  full: { part: "storage" },
  uploadRefused: { part: "storage" },
};

interface CheckTabProps {
  check: ServerCheck;
  hasWebdav: boolean;
  clock: Clock;
}

/** How the server is set up, as it and the browser find, and which features are off. */
export function CheckTab({ check, hasWebdav, clock }: CheckTabProps) {
  const { t } = useTranslation();
  const { config } = usePage().data;
  const { now } = useClock(clock);
  const account = useAccount();
  const [checks, setChecks] = useState<readonly Shown[]>([
    ...check.checks,
    ...unknown(["secure", "clock"]),
  ]);
  const [upload, setUpload] = useState<Shown>(untested(config.TusSettings.chunkSize));
  const [busy, setBusy] = useState<"checks" | "upload" | null>(null);
  const [complaint, setComplaint] = useState("");

  const ask = async (signal?: AbortSignal) => {
    const sentAt = Date.now();
    const answer = await account.checkServer(signal);
    if (signal?.aborted) return;
    setComplaint(answer.ok ? "" : reasonOf(t, answer));
    if (answer.ok) setChecks(seenHere(answer.value, sentAt));
  };
  useEffect(() => {
    const leaving = new AbortController();
    void ask(leaving.signal);
    return () => leaving.abort();
  }, []);
  const again = async () => {
    setBusy("checks");
    await ask();
    setBusy(null);
  };
  const test = async () => {
    setBusy("upload");
    const size = Math.min(config.TusSettings.chunkSize, maxProbe);
    const answer = await account.probeUploads(new Blob([new Uint8Array(size)]));
    setBusy(null);
    const isRefused = !answer.ok && answer.status === 413;
    setComplaint(answer.ok || isRefused ? "" : reasonOf(t, answer));
    if (answer.ok) {
      setUpload({ id: "upload", state: "good", finding: "uploadPassed", values: { size } });
    } else if (isRefused) {
      setUpload({ id: "upload", state: "problem", finding: "uploadRefused", values: { size } });
    }
  };

  const shown = [...checks, upload];
  const amountOf = (state: CheckResult["state"]) =>
    shown.filter((each) => each.state === state).length;
  const [problems, advice] = [amountOf("problem"), amountOf("advice")];
  return (
    <div className="divided">
      <SiteParts isCheck />
      <div className="settings__form">
        <Card
          id="check"
          title={t("check.title")}
          text={problems + advice === 0
            ? t("check.allGood")
            : t("check.summary", { problems, advice })}
          acts={
            <Button aria-busy={busy === "checks"} onClick={() => busy || void again()}>
              {t("check.again")}
            </Button>
          }
        >
          <FormError text={complaint} />
          <ul className="checked">
            {shown.map((each) => (
              <CheckRow key={each.id} shown={each} now={now}>
                {each.id === "upload" && (
                  <Button
                    aria-busy={busy === "upload"}
                    onClick={() => busy || void test()}
                  >
                    {t("check.test")}
                  </Button>
                )}
              </CheckRow>
            ))}
          </ul>
        </Card>
        <Card id="features" title={t("features.title")}>
          <FeatureState name="mail" isOn={config.EnableMail ?? false} />
          <FeatureState name="webhooks" isOn={config.EnableWebhooks ?? false} />
          <FeatureState name="webdav" isOn={hasWebdav} />
          <FeatureState name="office" isOn={config.EnableOffice ?? false}>
            <OfficeTest />
          </FeatureState>
          <FeatureState name="commands" isOn={config.EnableExec} />
          <FeatureState name="contents" isOn={config.EnableContents} />
        </Card>
      </div>
    </div>
  );
}

const glyphs: Record<CheckResult["state"], IconNode> = {
  good: CircleCheck,
  advice: Info,
  problem: CircleAlert,
};

interface CheckRowProps {
  shown: Shown;
  now: number;
  children?: ReactNode;
}

/** What was found, and the way out. */
function CheckRow({ shown: { id, state, finding, values }, now, children }: CheckRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const way = finding === null ? undefined : ways[finding];
  const code = finding === "untrusted" ? `--trusted-proxies ${values.proxy}` : way?.code;
  return (
    <li className="checked__row" data-state={state ?? "unknown"}>
      <Icon glyph={state === null ? CircleHelp : glyphs[state]} />
      <div className="checked__text">
        <h3 className="feature__name">
          {t(`check.names.${id}`)}
          {state !== null && <span className="badge">{t(`check.states.${state}`)}</span>}
        </h3>
        <p>
          {finding === null
            ? t("check.running")
            : t(`check.found.${finding}`, readable(values, language, now))}
          {code && (
            <>
              {" "}
              <code dir="ltr">{code}</code>
            </>
          )}
        </p>
        {way?.part && (
          <p>
            <a href={`${BaseURL}/settings/global#${way.part}`}>{t("check.open")}</a>
          </p>
        )}
        {children}
      </div>
    </li>
  );
}

/** The names of all values. */
const valueNames = [
  "address",
  "seen",
  "proxy",
  "days",
  "at",
  "names",
  "reason",
  "version",
  "free",
  "total",
  "size",
  "seconds",
] as const;

/** The values of a finding as they are read: bytes with units, times as distances. */
function readable(values: Shown["values"], language: string, now: number) {
  const entries = valueNames.map((name) => {
    const value = values[name] ?? "";
    const isSize = name === "free" || name === "total" || name === "size";
    if (typeof value === "number" && isSize) return [name, formatBytes(value, language)];
    if (name === "at") return [name, formatRelative(String(value), language, now)];
    return [name, isolated(String(value))];
  });
  return Object.fromEntries(entries) as Record<typeof valueNames[number], string>;
}

function unknown(ids: Shown["id"][]): Shown[] {
  return ids.map((id) => ({ id, state: null, finding: null, values: {} }));
}

function untested(chunkSize: number): Shown {
  const size = Math.min(chunkSize, maxProbe);
  return { id: "upload", state: null, finding: "uploadUntested", values: { size } };
}

/** The results of the server, with what the browser sees. @param sentAt when it was asked */
function seenHere({ checks, now }: ServerCheck, sentAt: number): Shown[] {
  const address = location.origin;
  const of = (each: CheckResult): Shown => {
    const { address: seen = address } = each.values;
    if (each.id !== "address" || seen === address) return each;
    return { id: "address", state: "problem", finding: "elsewhere", values: { address, seen } };
  };
  const answeredAt = Date.now();
  const delayMs = (answeredAt - sentAt) / 2;
  const differenceMs = Math.abs(Date.parse(now) - (sentAt + delayMs));
  const isRight = differenceMs - delayMs <= maxClockDifferenceMs;
  return [
    ...checks.map(of),
    {
      id: "secure",
      state: isSecureContext ? "good" : "problem",
      finding: isSecureContext ? "secure" : "insecure",
      values: {},
    },
    {
      id: "clock",
      state: isRight ? "good" : "problem",
      finding: isRight ? "clockRight" : "clockWrong",
      values: { seconds: Math.round(differenceMs / 1000) },
    },
  ];
}
