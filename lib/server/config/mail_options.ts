/** The options of sending mail, in the order of the help. See `StartOption`. */
export const mailOptions = [
  {
    name: "mail-host",
    value: "HOST",
    about: "the SMTP server that mail is handed to (no mail)",
    stored: true,
  },
  {
    name: "mail-port",
    value: "PORT",
    about: "its port (587; 465 with --mail-tls tls)",
    stored: true,
  },
  {
    name: "mail-tls",
    value: "MODE",
    about: "starttls, tls from the start, or none on this machine (starttls)",
    stored: true,
  },
  {
    name: "mail-ca",
    value: "FILE",
    about: "certificates (PEM) of the authority that its is signed by (the usual ones)",
    stored: true,
    isPath: true,
  },
  {
    name: "mail-user",
    value: "NAME",
    about: "the name to sign in with there (nobody)",
    stored: true,
  },
  {
    name: "mail-password",
    value: "SECRET",
    about: "the password that belongs to it",
    stored: true,
  },
  {
    name: "mail-password-file",
    value: "FILE",
    about: "the file with that password",
    stored: true,
    isPath: true,
  },
  {
    name: "mail-from",
    value: "ADDRESS",
    about: "the sender: cubby@example.org, or: Files <cubby@example.org>",
    stored: true,
  },
] as const;
