package config

func following() []Setting {
	return []Setting{switchOf("feeds-allow-private",
		"Users may follow calendars at addresses of private networks and of this machine too. Set it only where every user "+
			"may reach what the server reaches: otherwise they could read the answers of servers that trust this one.",
		func(d *draft) *bool { return &d.FeedsAllowPrivate })}
}
