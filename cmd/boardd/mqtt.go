package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/mqtt"
)

// newMQTTCommand is about what lies at the broker.
func newMQTTCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "mqtt", Short: "Take back what boardd has left at the broker", Args: commandName, RunE: commandMissing}
	var file, node, root, prefix string
	var dry, force bool
	purge := &cobra.Command{
		Use:   "purge [-c FILE] [--node NAME] [--root ROOT]",
		Short: "Remove all retained messages of this node, and what Home Assistant was told",
		Long: "purge removes from the broker of mqtt.url everything that lies retained there of this node, and what Home Assistant was told of its\n" +
			"boards. boardd must not run meanwhile. --node and --root name what a former configuration has left.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Context(), file, os.Environ())
			if err != nil {
				return err
			}
			if c.MQTT.URL == "" {
				return usagef("mqtt.url is empty: boardd's own broker forgets everything when boardd ends")
			}
			password, err := c.MQTT.Password()
			if err != nil {
				return err
			}
			topics, err := mqtt.Purge(cmd.Context(), mqtt.Options{
				URL: c.MQTT.URL, Username: c.MQTT.Username, Password: password,
				CAFile: c.MQTT.CAFile, CertFile: c.MQTT.CertFile, KeyFile: c.MQTT.KeyFile,
				Root: cmp.Or(root, c.MQTT.Root), Node: cmp.Or(node, c.Node.Name), ClientID: clientID(&c) + "-purge",
				DiscoveryPrefix: cmp.Or(prefix, c.MQTT.DiscoveryPrefix), Logger: logger(cmd),
			}, mqtt.PurgeOptions{DryRun: dry, Force: force})
			for _, topic := range topics {
				_, _ = fmt.Fprintln(cmd.OutOrStdout(), topic)
			}
			return err
		},
	}
	addConfigFlag(purge, &file)
	purge.Flags().StringVar(&node, "node", "", "the `NAME` of the node; that of the configuration if left out")
	purge.Flags().StringVar(&root, "root", "", "the `ROOT` of its topics; that of the configuration if left out")
	purge.Flags().StringVar(&prefix, "discovery-prefix", "", "the `PREFIX` of Home Assistant's topics; that of the configuration if left out")
	purge.Flags().BoolVar(&dry, "dry-run", false, "only list the topics")
	purge.Flags().BoolVar(&force, "force", false, "also when the broker says that the node is online")
	cmd.AddCommand(purge)
	return cmd
}
